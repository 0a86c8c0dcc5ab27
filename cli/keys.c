/* The JSON keys of every command: `bperc COMMAND --help`, the manual pages and
 * the site show these texts. A line is `key key...: meaning`; what stands in
 * braces after a key are the keys of the object, or of each object of a list.
 * A key that comes with an option only says so. */
#include "commands.h"

#define FILE_READ "n m: number of weights and of patterns\n" TIES
#define TIES "ties: what a sum on the threshold means: zero, strict or either\n"
#define SEED "seed: seed of the random streams; above 2^63 - 1 as a string\n"
#define SECONDS "seconds: time the computation took\n"
#define ENSEMBLE                                                               \
  "n: number of weights\n"                                                     \
  "fin fout: probabilities of an input and of a label to be 1\n"               \
  "a threshold: A (null when the threshold was given) and the threshold\n"     \
  "kappa: margin around the threshold\n" TIES                                  \
  "weights inputs: values of weights and of inputs, 01 or pm\n"                \
  "teacher: whether labels are the outputs of planted weights\n"               \
  "structure groups noise: how patterns depend on each other: free, copies, "  \
  "prototypes or source; how many; redrawn inputs\n"                           \
  "rows: number of rows of --data, null without\n"
#define SOLVER                                                                 \
  "solver: its name\n"                                                         \
  "options: every option of the solver with the value used\n"
#define SCORES "{errors accuracy balanced_accuracy confusion{tp fp tn fn}}"
#define UNCONVERGED "unconverged[{fixed method iterations residual}]"
#define TASKS                                                                  \
  "tasks{total found done failed seconds busy storing workers}: tasks of the " \
  "plan: all, those in the store before, run now, failed; seconds of the "     \
  "run, of work and of the store; threads or ranks\n"
#define CLAIMS                                                                 \
  "claims[{id verdict measured expected text figure source quote place why "   \
  "tests}]: every claim with its verdict: holds, fails or undecided; of each " \
  "test what it asks for and "                                                 \
  "what was found; of each number its error and instances, what it has to "    \
  "reach (critical, or a chance below rate) and its side: 1 clearly as "       \
  "claimed, -1 clearly not\n"                                                  \
  "tally{paper{hold fail undecided} ours{...}}: how many claims of the paper " \
  "and of ours have which verdict\n"                                           \
  "scale: quick or paper\n"                                                    \
  "out: folder of tables, pictures and index.html\n"

const char cli_keys_generate[] =
    "m alpha: number of patterns, in all and per weight\n" SEED
    "out teacher_out: files written, null where none\n" ENSEMBLE;

const char cli_keys_solve[] =
    "solved: whether every pattern has its label\n"
    "status: solved, unsolved or unsatisfiable\n"
    "by: the solver that found the weights, null when unsolved\n"
    "weights: the best weights met, a string of 0 and 1; a list of integers "
    "for ecp\n"
    "errors: patterns that they miss\n"
    "unavoidable: errors that no weights avoid, at least; null when not known\n"
    "contradictions[{patterns text}]: patterns that contradict each other\n"
    "steps: sweeps, iterations or weights fixed, by solver\n" SECONDS FILE_READ
    "a: threshold parameter A\n" SEED SOLVER
    "ranks: processes of mpirun that the patterns were spread over\n"
    "restarts runs: runs allowed and runs made\n"
    "initial: file of the first weights, null without\n"
    "class_weights: costs of an error on label 0 and on label 1\n"
    "cost: cost of the errors\n"
    "least_cost: no weights cost less; null when not known\n" UNCONVERGED
    ": with --solver bpd: steps at which belief propagation did not converge\n"
    "proof proof_errors{file proven conflicts errors}: with --proof and "
    "--proof-errors: whether what is claimed was proven, after how many "
    "conflicts, with how many errors\n";

const char cli_keys_check[] =
    "satisfied: whether every pattern has its label\n"
    "errors: number of patterns without\n"
    "violated: their numbers, from 0\n"
    "min_margin: least number of weights by which a pattern is on the right "
    "side of its bound\n"
    "accuracy balanced_accuracy confusion{tp fp tn fn}: label against 'sum "
    "above threshold'\n" FILE_READ "sums: with --sums: sum of every pattern\n";

const char cli_keys_fit[] =
    "threshold kappa: threshold and margin chosen\n"
    "polished: whether training ended with smaller margins, for fewer errors\n"
    "train" SCORES " validation" SCORES " test" SCORES
    ": on all rows, in cross-validation, on the rows of --test; null without\n"
    "tried[{threshold kappa errors balanced_accuracy}]: every setting tried\n"
    "unavoidable: training errors that no weights avoid\n"
    "classes: the labels; of two, label 0 and label 1. More than two: "
    "threshold "
    "and kappa are null, weights is a list with a string for each unit, "
    "confusion a matrix with a row for each true class\n"
    "scheme: two; or rest, pairs, bits: which outputs the classes want\n"
    "schemes[{scheme units errors}]: the schemes that were tried, with their "
    "validation errors\n"
    "units[{threshold kappa slope offset}]: every perceptron, and the link of "
    "its sums to probabilities\n"
    "inputs: what each of them says, such as 'age > 42.5'\n"
    "constant: errors of the most frequent label alone\n"
    "complete: false when a time limit or an interruption came first; then the "
    "model is the best so far\n"
    "weights: a string of 0 and 1\n"
    "kind: values of weights, 01 or pm\n"
    "n m: number of inputs and of rows\n" SEED SECONDS;

const char cli_keys_predict[] =
    "labels: one per row, as in the training file\n"
    "scores: sum minus threshold behind each label; of more than two classes "
    "a list with one for each\n"
    "probabilities: a list with one for each class; null unless asked for\n"
    "classes: the labels, in the order of these lists\n"
    "unseen[{column text count}]: texts that training has not seen, taken as "
    "missing; an empty text: a missing value where training had none\n"
    "m: number of rows\n";

const char cli_keys_walk[] =
    "weights: end of the walk, a string of 0 and 1\n"
    "moves: flips accepted\n"
    "distance distance_per_weight: weights that differ from the start, and "
    "their share\n"
    "sweeps: sweeps done\n" FILE_READ SEED "options: order of the tries\n"
    "satisfied errors: only these two, when the start is no solution\n";

const char cli_keys_local_entropy[] =
    "outcome: converged, unconverged or contradiction\n"
    "points[{x distance entropy count converged iterations}]: per coupling x: "
    "mean distance and entropy, log of the number of solutions at that whole "
    "distance, all divided by N\n"
    "one_flip: solutions at distance 1, counted; null unless the weights are "
    "one\n"
    "errors: patterns that the weights miss\n" FILE_READ;

const char cli_keys_xcorr[] =
    "xcorr_mean xcorr_mean_square: over ordered pairs of unfixed weights\n"
    "outcome: converged, unconverged or contradiction\n"
    "converged: whether belief propagation did\n"
    "sampled unconverged: weights conditioned on, and runs among them that did "
    "not converge\n"
    "marginals: bp or exact\n" FILE_READ
    "xcorr: with --matrix: the correlations of unfixed weights\n";

const char cli_keys_enumerate[] =
    "count: number of solutions, a string of digits\n"
    "count_number: the same as a number, null beyond 2^53\n"
    "complete: false when a limit was reached\n"
    "log_count entropy: its natural logarithm, in all and per unfixed weight\n"
    "unfixed: number of unfixed weights\n" FILE_READ SECONDS
    "marginals: share of solutions with each weight at 1\n"
    "xcorr_mean xcorr_mean_square: over ordered pairs of unfixed weights\n"
    "clusters{count sizes parisi_x q_same q_diff largest k_index flips frozen "
    "overlaps}: solutions connected by single flips (or --flips); frozen "
    "weights of each; overlaps with --overlaps\n"
    "backbone{weights values}: unfixed weights with one value in all "
    "solutions\n"
    "local_entropy[{d mean sum without min max}]: at distance d: mean of "
    "log(neighbours)/N, their sum, solutions without any, least and most\n"
    "not_computed: keys that are null for their cost, with the option that "
    "asks for each\n"
    "distance_histogram: with --pairs: unordered pairs by distance\n"
    "xcorr: with --correlations: the matrix\n"
    "around: with --around: solutions by distance from the weights\n"
    "nodes: with --count-only: nodes of the search\n"
    "samples sample_marginals: with --sample: solutions drawn, and the share "
    "of them with each weight at 1\n";

const char cli_keys_decimate[] =
    "solved: whether the weights at the end are a solution\n"
    "outcome: solved, unsolved, contradiction (what is fixed leaves no "
    "solution) or interrupted\n"
    "marginals: bp, exact, or given (--along)\n"
    "order values: weights in the order of fixing, and their values\n"
    "steps[{fixed weight value entropy log_count count xcorr_mean "
    "xcorr_mean_square parisi_x q_same q_diff k_index local_entropy_d1 "
    "local_entropy_d2 local_entropy_d3 clusters largest}]: one per number of "
    "fixed weights; from count on with exact measures only\n" FILE_READ
        UNCONVERGED
    ": with --marginals bp: steps at which belief propagation did not "
    "converge\n";

const char cli_keys_embed[] =
    "solutions clusters: how many there are\n"
    "points sampled: how many are mapped, and whether they are a sample\n"
    "complete: false when a limit was reached\n"
    "stress classical_stress: of the map and of its classical start\n"
    "winner: number of the best start, 0 for the classical one\n"
    "n: number of weights\n" TIES;

const char cli_keys_export[] =
    "file format out: what was read, how and where "
    "it was written\n" FILE_READ "a: threshold parameter A\n";

const char cli_keys_capacity[] =
    "capacity sem: mean number of patterns per weight, and its standard error "
    "(null of one trial)\n"
    "trials: number of trials\n"
    "median lowest highest: of the trials\n"
    "patterns: number of patterns stored in each trial\n"
    "warm: whether the solver went on from its last state\n"
    "theory: capacity of the ensemble at N to infinity, null where it is not "
    "worked out\n"
    "limit at_limit: most patterns of a trial, and trials that reached "
    "it\n" SEED SECONDS ENSEMBLE SOLVER;

const char cli_keys_solving_time[] =
    "trials solved contradictory: instances, solved ones, and those that "
    "contradict themselves\n"
    "fraction fraction_sem: solved share, and its standard error\n"
    "steps_mean steps_sem steps_median: steps of solved instances\n"
    "steps_median_all: median of all instances, unsolved ones as infinite\n"
    "seconds_mean seconds_sem seconds_median: CPU time of solved instances\n"
    "m alpha: number of patterns, in all and per weight\n" SEED ENSEMBLE SOLVER
    "each[{solved steps errors seconds}]: with --each: every instance\n";

const char cli_keys_theory[] =
    "theory: the question\n"
    "weights: 01, integer or ising\n"
    "alpha: patterns per weight; concavity: above it the curve is not "
    "concave\n"
    "a fin q: A, f_in and Q = 1/(A f_in); not with weights ising\n"
    "fout kappa: probability of label 1, margin\n"
    "alpha_c: capacity; capacity, alpha-u, concavity\n"
    "entropy: per weight, in nats; entropy, geometry\n"
    "above_capacity: entropy: whether it is negative\n"
    "overlap typical_distance mean_square field conjugate activity_shift: "
    "capacity, entropy: the saddle point\n"
    "residual quadrature_error: accuracy of the saddle point\n"
    "points: one object per distance (large-deviation, franz-parisi: distance "
    "entropy bound slope regime), per A and f_in (curve: fin a alpha_c "
    "overlap), per Parisi parameter (geometry: x g q_same q_diff size "
    "complexity)\n"
    "optima[{fin a_opt alpha_c}]: curve: the best A\n"
    "band alpha_stability alpha_moment exact: with --band: load above which "
    "overlap 0 is unstable; load below which the second moment confirms the "
    "entropy; whether alpha lies there\n"
    "noise activity exact_inputs: generalisation: what was asked\n"
    "error_bayes error_gibbs free_entropy: generalisation: errors of the best "
    "guess and of a random student, weight of their state over the teacher's\n"
    "overlap_amp error_bayes_amp error_gibbs_amp free_entropy_amp: the same "
    "where message passing from no knowledge ends\n"
    "alpha_it alpha_amp: loads from which the teacher can be known, and above "
    "which message passing finds it\n"
    "steps[{step overlap error_bayes error_gibbs}]: state evolution\n"
    "low high alpha_u distance: alpha-u: loads at which the densest region "
    "survives and is lost, the load at which it breaks, and where\n"
    "trials[{alpha survived ended smallest_slope at_distance}]: alpha-u: the "
    "two ends of the bracket\n"
    "from to: concavity: distances that a solver cannot reach there\n"
    "y references: concavity, and others with --y: as given\n"
    "parisi_x q_same q_diff complexity_line[{size complexity}]: geometry: "
    "states of typical solutions\n"
    "saddle reason ended: when no saddle point was found: false, why, and the "
    "distance reached\n";

const char cli_keys_bp[] =
    "outcome: converged, unconverged, contradiction (no weights satisfy all "
    "patterns, or messages force a weight both ways) or doubtful (an entropy "
    "that no number of solutions has, or that --centred cannot trust)\n"
    "converged: whether a fixed point was reached\n"
    "stalled: whether the residual does not fall any more\n"
    "iterations residual: at the end\n"
    "entropy: Bethe entropy per weight, in nats; null unless it can be one\n"
    "entropy_error: its error: 0 on trees, measured with --centred, else "
    "null\n"
    "marginals: probability of every weight to be 1\n"
    "method: the update used\n" FILE_READ
    "options: every option with the value used\n"
    "violated: a pattern that cannot hold, null where none is known\n";

const char cli_keys_infer[] =
    "converged: whether the marginals do not change any more\n"
    "iterations change: number, root mean square change in the last one\n"
    "overlap: expected overlap of two students, and of the mean weights with "
    "a teacher\n"
    "overlap_teacher: with --teacher: of the mean weights with these\n"
    "error_bayes error_gibbs: expected error on a new pattern, of the likelier "
    "label and of a random student\n"
    "error_left_out: share of labels that the other patterns predict wrongly\n"
    "marginals: probability of every weight's bit to be 1\n" FILE_READ
    "options: every option with the value used\n"
    "steps[{step overlap overlap_teacher error_bayes error_gibbs "
    "error_left_out}]: with --steps\n";

const char cli_keys_reproduce[] =
    CLAIMS TASKS "shard: with --shard: only the part and its tasks\n";
const char cli_keys_sweep[] =
    CLAIMS TASKS "shard: with --shard: only the part and its tasks\n";
const char cli_keys_report[] = CLAIMS;

const char cli_keys_store[] =
    "tasks failures: results in the store, and failed tasks among them\n"
    "damaged damaged_keys: results with a wrong checksum\n"
    "pages: ok, or what is wrong with the file\n"
    "added: merge: results added to the first store\n";
