"""Recipes say what the build needs, and all files the same version."""
import ast
import pathlib
import re
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# How meson's dependencies are called elsewhere: Debian, conda-forge, Spack.
NAMES = {"gsl": ("libgsl-dev", "gsl", "gsl"),
         "sqlite3": ("libsqlite3-dev", "sqlite", "sqlite"),
         "jansson": ("libjansson-dev", "jansson", "jansson"),
         "hdf5": ("libhdf5-dev", "hdf5", "hdf5")}
OPTIONAL = {"mpi", "threads", "cmocka"}


def read(path):
    return (TOP / path).read_text(encoding="utf-8")


def needed():
    found = set(re.findall(r"dependency\('([a-z0-9]+)'", read("meson.build")))
    return sorted(found - OPTIONAL)


class Packaging(unittest.TestCase):
    def test_every_library_is_known_here(self):
        self.assertEqual(needed(), sorted(NAMES))

    def test_docker_and_the_list_of_make(self):
        listed = re.findall(r"^([a-z0-9.-]+) +\S+ ", read("tools/packages.txt"),
                            re.M)
        docker = read("packaging/Dockerfile").split("FROM")[1]
        for name in listed:
            self.assertIn(f" {name}", docker)
        for debian, _, _ in NAMES.values():
            self.assertIn(debian, listed)
            self.assertIn(debian, read("debian/control"))

    def test_conda(self):
        text = read("packaging/conda/meta.yaml")
        plain = re.sub(r"{%.*?%}\n", "", text)
        plain = re.sub(r"{{.*?}}", "x", plain)
        host = plain.split("  host:")[1].split("  run:")[0]
        for _, conda, _ in NAMES.values():
            self.assertIn(f"- {conda}\n", host)
        try:
            import yaml
        except ImportError:
            return
        self.assertEqual(yaml.safe_load(plain)["package"]["name"], "bperc")
        hooks = yaml.safe_load(read(".pre-commit-config.yaml"))
        for hook in hooks["repos"][0]["hooks"]:
            program = hook["entry"].split()[0]
            if "/" in program:
                self.assertTrue((TOP / program).exists(), program)

    def test_spack(self):
        tree = ast.parse(read("packaging/spack/package.py"))
        said = {node.args[0].value.split("@")[0].split("~")[0]
                for node in ast.walk(tree) if isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "depends_on"}
        self.assertTrue({spack for _, _, spack in NAMES.values()} <= said)
        self.assertIn("random123", said)

    def test_options_exist(self):
        known = set(re.findall(r"option\('([a-z_0-9]+)'", read("meson_options.txt")))
        for path in ("packaging/Dockerfile", "packaging/conda/meta.yaml",
                     "packaging/spack/package.py", "pyproject.toml",
                     "tools/wheel"):
            for name in re.findall(r"-D([a-z_0-9]+)=", read(path)):
                self.assertIn(name, known, path)

    def test_one_version(self):
        version = re.search(r"^  version : '(.*)'", read("meson.build"), re.M)[1]
        for path, pattern in (
                ("pyproject.toml", r'^version = "(.*)"'),
                ("CITATION.cff", r"^version: (.*)"),
                ("packaging/conda/meta.yaml", r'set version = "(.*)"'),
                ("packaging/spack/package.py", r'^    version\("(.*)"\)')):
            self.assertEqual(re.search(pattern, read(path), re.M)[1], version,
                             path)
        self.assertRegex(read("CHANGELOG.md"), rf"(?m)^## {version} ")


if __name__ == "__main__":
    unittest.main()
