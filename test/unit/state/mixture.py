"""Compares mixtures with scikit-learn's GaussianMixture.
usage: mixture.py TEST_MIXTURE, in a folder for scratch files; exit 77 without scikit-learn."""
import math
import random
import subprocess
import sys

try:
    import numpy
    from sklearn.mixture import GaussianMixture
except ImportError:
    sys.exit(77)

worst = 0
for seed in range(20):
    rng = random.Random(seed)
    count = 240 if seed % 2 else 3000
    weight, distance = rng.uniform(0.1, 0.9), math.log(rng.uniform(1.3, 2.5))
    narrow, wide = rng.uniform(0.03, 0.12), rng.uniform(0.03, 0.12)
    logs = [rng.gauss(1 + distance, wide) if rng.random() < weight else rng.gauss(1, narrow)
            for _ in range(count)]
    with open("logs.txt", "w") as file:
        file.writelines("%.17g\n" % x for x in logs)
    said = subprocess.run([sys.argv[1], "logs.txt"], capture_output=True, text=True, check=True).stdout
    ours = [float(x) for x in said.split()]
    data = numpy.array(logs).reshape(-1, 1)
    theirs = GaussianMixture(2, tol=1e-12, max_iter=20000, n_init=8, reg_covar=0, random_state=1).fit(data)
    same = GaussianMixture(2, reg_covar=0)
    same.weights_ = numpy.array([ours[3], ours[6]])
    same.means_ = numpy.array([[ours[4]], [ours[7]]])
    same.covariances_ = numpy.array([[[ours[5] ** 2]], [[ours[8] ** 2]]])
    same.precisions_cholesky_ = 1 / numpy.sqrt(same.covariances_)
    # theirs may stop at a worse place; ours may not
    at_most = theirs.score(data) - ours[2] / count
    evaluation = abs(same.score(data) - ours[2] / count)
    worst = max(worst, at_most, evaluation)
    print("# seed %d: %.9f here, %.9f there, parameters evaluated there %.2e off" %
          (seed, ours[2] / count, theirs.score(data), evaluation))
print("# worst difference of the mean log-likelihood: %.2e" % worst)
sys.exit(1 if worst > 1e-6 else 0)
