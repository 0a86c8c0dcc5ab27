"""What the tests share."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program():
    """Runs bperc commands, all in one shell, and gives their JSON answers."""
    path = os.environ.get("BPERC")
    if not path:
        pytest.skip("BPERC does not name the program")

    def run(*commands):
        script = "\n".join(
            " ".join([path, *map(str, command), "--json", "--threads", "1"])
            for command in commands)
        said = subprocess.run(["sh"], input=script, text=True,
                              stdout=subprocess.PIPE).stdout
        decoder, answers, at = json.JSONDecoder(), [], 0
        while at < len(said.rstrip()):
            answer, at = decoder.raw_decode(said, at)
            answers.append(answer)
            at += len(said[at:]) - len(said[at:].lstrip())
        assert len(answers) == len(commands)
        return answers

    return run
