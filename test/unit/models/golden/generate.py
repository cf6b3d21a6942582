#!/usr/bin/python3
"""Makes the golden files of the surrogates with independent programs.

Needs Debian's python3-sklearn, python3-scipy and libsvm-tools.  Each file has
surrogates as they stand in a profile, queries (feature vectors in the order of
ATM_FEATURES) and what the reference answers:

    pipeline  scipy.special.boxcox, StandardScaler and PCA of scikit-learn
    linear    scikit-learn LinearRegression, PolynomialFeatures
    knn       scikit-learn KNeighborsRegressor
    svr       LIBSVM, svm-train and svm-predict
    forest    scikit-learn RandomForestRegressor
    mlp       scikit-learn MLPRegressor
    rules     no Cubist in Debian: trees, linear models and neighbours of
              scikit-learn put together as Quinlan describes; rules are never
              evaluated as rules, but by walking the trees they come from

Times are invented: latency, bandwidth and noise of an imaginary machine.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.special import boxcox
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

FEATURES = ["nodes", "per_node", "senders", "receivers", "bytes", "stripes"]
QUERIES = 100
random = np.random.default_rng(20150908)


def measure(names, count):
    """Feature matrix and times of count imaginary measurements."""
    limits = {"nodes": 512, "per_node": 16, "senders": 8192, "receivers": 512,
              "bytes": 1 << 22, "stripes": 32}
    x = np.column_stack([np.floor(2.0 ** random.uniform(0, np.log2(limits[name]), count))
                         for name in names])
    by_name = {name: x[:, i] for i, name in enumerate(names)}
    ranks = by_name.get("nodes", 1) * by_name.get("per_node", 4)
    seconds = (3e-6 * np.log2(ranks + 1) + by_name.get("bytes", 1e5) * 2e-10 *
               np.sqrt(by_name.get("receivers", 1)) + 2e-5)
    return x, seconds * np.exp(random.normal(0, 0.15, count))


class Pipeline:
    """Preprocessing by scipy and scikit-learn, and its parameters."""

    def __init__(self, x, lambdas=None, scale=False, components=None, log=False):
        self.lambdas, self.log, self.pca = lambdas, log, None
        self.scaler = StandardScaler().fit(self.box(x)) if scale else None
        if components:
            self.pca = PCA(components).fit(self.scaler.transform(self.box(x)))
            # rounding of a mean that is 0; the format has one centring step
            assert np.max(np.abs(self.pca.mean_)) < 1e-12
            self.pca.mean_[:] = 0

    def box(self, x):
        if self.lambdas is None:
            return x
        return np.column_stack([boxcox(x[:, i], l) for i, l in enumerate(self.lambdas)])

    def inputs(self, x):
        z = self.box(x)
        z = self.scaler.transform(z) if self.scaler else z
        return self.pca.transform(z) if self.pca else z

    def target(self, seconds):
        return np.log(seconds) if self.log else seconds

    def seconds(self, output):
        return np.exp(output) if self.log else output

    def value(self):
        value = {"target": "log" if self.log else "linear"}
        if self.lambdas is not None:
            value["box_cox"] = list(self.lambdas)
        if self.scaler:
            value["centre"] = self.scaler.mean_.tolist()
            value["scale"] = self.scaler.scale_.tolist()
        if self.pca:
            value["pca"] = self.pca.components_.tolist()
        return value


def inside(x):
    """Queries in the range of x, some of them rows of x."""
    low, high = x.min(axis=0), x.max(axis=0)
    queries = np.floor(low * (high / low) ** random.uniform(0, 1, (QUERIES, x.shape[1])))
    queries[:10] = x[:10]
    return np.clip(queries, low, high)


def case(name, model, features, x, pipeline, parameters, queries, output, spread=None):
    """One golden case; output and spread as the model gives them."""
    seconds = pipeline.seconds(output)
    full = np.ones((len(queries), len(FEATURES)))
    full[:, [FEATURES.index(f) for f in features]] = queries
    made = {"name": name,
            "surrogate": {"model": model, "features": features, "min": x.min(axis=0).tolist(),
                          "max": x.max(axis=0).tolist(), "error": 0.0,
                          "pipeline": pipeline.value(), "parameters": parameters},
            "queries": full.tolist(), "seconds": seconds.tolist()}
    if spread is not None:
        made["spread"] = (spread if pipeline.log else spread / seconds).tolist()
    assert np.all(seconds > 1e-9)
    return made


def linear():
    for name, log, products in (("power law", True, False), ("plain", False, True)):
        features = ["nodes", "per_node", "bytes"]
        x, seconds = measure(features, 300)
        pipeline = Pipeline(x, [0, 0, 0] if log else [0, 1, 1], scale=True, log=log)
        z, queries = pipeline.inputs(x), inside(x)
        expand = PolynomialFeatures(2 if products else 1, include_bias=False).fit(z)
        fit = LinearRegression().fit(expand.transform(z), pipeline.target(seconds))
        output = fit.predict(expand.transform(pipeline.inputs(queries)))
        keep = slice(None) if log else output > 1e-6  # a straight line may dip below 0
        pairs = [np.repeat(np.arange(3), powers) for powers in expand.powers_]
        parameters = {"intercept": float(fit.intercept_), "coefficients": fit.coef_[:3].tolist()}
        if products:
            parameters["products"] = [[int(pair[0]), int(pair[1]), float(c)]
                                      for pair, c in zip(pairs[3:], fit.coef_[3:])]
        yield case(name, "linear", features, x, pipeline, parameters, queries[keep], output[keep])


def knn():
    for name, features, count, k, log in (("storage", ["nodes", "receivers", "bytes"], 270, 5, True),
                                          ("few points", ["bytes"], 27, 3, False),
                                          ("many", FEATURES, 400, 9, True)):
        x, seconds = measure(features, count)
        x, first = np.unique(x, axis=0, return_index=True)  # no ties at distance 0
        seconds = seconds[first]
        pipeline = Pipeline(x, [0] * len(features), scale=True, log=log)
        z, y, queries = pipeline.inputs(x), pipeline.target(seconds), inside(x)
        fit = KNeighborsRegressor(k, weights="distance", algorithm="brute").fit(z, y)
        queries = queries[untied(fit, pipeline.inputs(queries), k)]
        distances, index = fit.kneighbors(pipeline.inputs(queries))
        output = fit.predict(pipeline.inputs(queries))
        with np.errstate(divide="ignore"):
            weights = 1 / distances
        exact = np.isinf(weights).any(axis=1)
        weights[exact] = np.isinf(weights[exact])
        spread = np.sqrt(np.average((y[index] - output[:, None]) ** 2, axis=1, weights=weights))
        parameters = {"neighbours": k, "points": z.tolist(), "outputs": y.tolist()}
        yield case(name, "knn", features, x, pipeline, parameters, queries, output, spread)


def untied(fit, z, k):
    """Queries whose k-th neighbour is not as far as the next, or as good as in place."""
    far, _ = fit.kneighbors(z, n_neighbors=k + 1)
    return (far[:, k] - far[:, k - 1] > 1e-9) & ((far[:, 0] == 0) | (far[:, 0] > 1e-6))


def libsvm(z, y, queries, gamma):
    """Parameters as in a profile, and predictions, by LIBSVM's own programs."""
    def write(path, z, y):
        with open(path, "w") as file:
            for row, target in zip(z, y):
                file.write(repr(float(target)) + "".join(
                    f" {i + 1}:{v!r}" for i, v in enumerate(row.tolist())) + "\n")

    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        write(path("train"), z, y)
        write(path("test"), queries, np.zeros(len(queries)))
        subprocess.run(["svm-train", "-q", "-s", "3", "-t", "2", "-g", repr(gamma), "-c", "10",
                        "-p", "0.05", path("train"), path("model")], check=True)
        subprocess.run(["svm-predict", path("test"), path("model"), path("out")], check=True,
                       stdout=subprocess.DEVNULL)
        head, body = open(path("model")).read().split("SV\n")
        bias = -float(head.split("rho ")[1].split()[0])
        gamma = float(head.split("gamma ")[1].split()[0])  # svm-train rounds it to a float
        alphas, vectors = [], []
        for line in body.strip().split("\n"):
            alpha, *entries = line.split()
            vector = [0.0] * z.shape[1]
            for entry in entries:
                i, v = entry.split(":")
                vector[int(i) - 1] = float(v)
            alphas.append(float(alpha))
            vectors.append(vector)
        return ({"gamma": gamma, "bias": bias, "vectors": vectors, "alphas": alphas},
                np.loadtxt(path("out")))


def svr():
    for name, features, count, gamma, components in (
            ("exchange", ["nodes", "receivers", "bytes"], 250, 0.3, None),
            ("three of four components", ["nodes", "per_node", "senders", "bytes"], 120, 0.1, 3)):
        x, seconds = measure(features, count)
        pipeline = Pipeline(x, [0] * len(features), scale=True, components=components, log=True)
        z, queries = pipeline.inputs(x), inside(x)
        parameters, output = libsvm(z, pipeline.target(seconds), pipeline.inputs(queries), gamma)
        yield case(name, "svr", features, x, pipeline, parameters, queries, output)
    # vectors that share coordinates
    features = ["nodes", "receivers", "bytes"]
    x = np.array([[n, r, 2.0 ** b] for n in (128, 256, 512) for r in (8, 32, 64, 200)
                  for b in range(8, 24)])
    seconds = (1e-4 + 1e-6 * x[:, 1] + x[:, 2] * 1e-9) * np.exp(random.normal(0, 0.1, len(x)))
    pipeline = Pipeline(x, [0, 0, 0], scale=True, log=True)
    queries = inside(x)
    parameters, output = libsvm(pipeline.inputs(x), pipeline.target(seconds),
                                pipeline.inputs(queries), 0.25)
    yield case("grid", "svr", features, x, pipeline, parameters, queries, output)
    # the same family by another implementation
    x, seconds = measure(["bytes", "nodes"], 60)
    pipeline = Pipeline(x, [0.1, 0.3], scale=True, log=True)
    fit = SVR(gamma=0.7, C=5, epsilon=0.02).fit(pipeline.inputs(x), pipeline.target(seconds))
    queries = inside(x)
    yield case("scikit-learn's", "svr", ["bytes", "nodes"], x, pipeline,
               {"gamma": 0.7, "bias": float(fit.intercept_[0]),
                "vectors": fit.support_vectors_.tolist(), "alphas": fit.dual_coef_[0].tolist()},
               queries, fit.predict(pipeline.inputs(queries)))


def breadth_first(tree):
    """A scikit-learn tree in the format of profiles."""
    inputs, values, queue = [], [], [0]
    while queue:
        at = queue.pop(0)
        leaf = tree.children_left[at] < 0
        inputs.append(-1 if leaf else int(tree.feature[at]))
        values.append(float(tree.value[at][0][0] if leaf else tree.threshold[at]))
        if not leaf:
            queue += [tree.children_left[at], tree.children_right[at]]
    return {"inputs": inputs, "values": values}


def forest():
    for name, lambdas, trees in (("raw", None, 20), ("log", [0, 0, 0], 10)):
        features = ["nodes", "per_node", "bytes"]
        x, seconds = measure(features, 200)
        pipeline = Pipeline(x, lambdas, log=lambdas is not None)
        y, queries = pipeline.target(seconds), inside(x)
        fit = RandomForestRegressor(trees, min_samples_leaf=3, random_state=1)
        fit.fit(pipeline.inputs(x), y)
        z = pipeline.inputs(queries)
        # scikit-learn compares in single precision: leave out what that decides
        same = np.full(len(z), True)
        for tree in fit.estimators_:
            for f, t in zip(tree.tree_.feature, tree.tree_.threshold):
                same &= (f < 0) | ((z[:, f] <= t) == (z[:, f].astype(np.float32) <= t))
        queries, z = queries[same], z[same]
        each = np.array([tree.predict(z) for tree in fit.estimators_])
        yield case(name, "forest", features, x, pipeline,
                   {"trees": [breadth_first(tree.tree_) for tree in fit.estimators_]},
                   queries, fit.predict(z), each.std(axis=0))


def mlp():
    for activation, layers in (("relu", (16, 8)), ("tanh", (12,)), ("logistic", (6, 5, 4)),
                               ("identity", (3,))):
        features = ["nodes", "per_node", "bytes"]
        x, seconds = measure(features, 300)
        pipeline = Pipeline(x, [0, 0, 0.2], scale=True, log=True)
        fit = MLPRegressor(layers, activation=activation, random_state=3, max_iter=2000, tol=1e-3,
                           solver="lbfgs").fit(pipeline.inputs(x), pipeline.target(seconds))
        queries = inside(x)
        parameters = {"activation": activation,
                      "layers": [{"weights": w.tolist(), "biases": b.tolist()}
                                 for w, b in zip(fit.coefs_, fit.intercepts_)]}
        yield case(activation, "mlp", features, x, pipeline, parameters, queries,
                   fit.predict(pipeline.inputs(queries)))


class ModelTree:
    """A tree with a linear model, kept within bounds, in each leaf."""

    def __init__(self, z, y, leaves, seed):
        pick = np.random.default_rng(seed).integers(0, len(z), len(z))
        z, y = z[pick], y[pick]
        self.tree = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=15,
                                          random_state=seed).fit(z, y)
        self.models = {}
        for leaf in np.unique(self.tree.apply(z)):
            mine = self.tree.apply(z) == leaf
            fit = LinearRegression().fit(z[mine], y[mine])
            self.models[leaf] = fit, y[mine].min(), y[mine].max()

    def predict(self, z):
        at, y = self.tree.apply(z), np.empty(len(z))
        for leaf, (fit, low, high) in self.models.items():
            if np.any(at == leaf):
                y[at == leaf] = np.clip(fit.predict(z[at == leaf]), low, high)
        return y

    def rules(self, at=0, conditions=()):
        tree = self.tree.tree_
        if tree.children_left[at] < 0:
            fit, low, high = self.models[at]
            return [{"conditions": list(conditions), "intercept": float(fit.intercept_),
                     "coefficients": fit.coef_.tolist(), "low": float(low), "high": float(high)}]
        ask = int(tree.feature[at]), float(tree.threshold[at])
        return (self.rules(tree.children_left[at], conditions + ([ask[0], "<=", ask[1]],)) +
                self.rules(tree.children_right[at], conditions + ([ask[0], ">", ask[1]],)))


def rules():
    features = ["nodes", "per_node", "bytes"]
    x, seconds = measure(features, 250)
    x, first = np.unique(x, axis=0, return_index=True)
    seconds = seconds[first]
    pipeline = Pipeline(x, [0, 0, 0], scale=True, log=True)
    z, y, queries = pipeline.inputs(x), pipeline.target(seconds), inside(x)
    trees = [ModelTree(z, y, 5, seed) for seed in range(8)]
    # a member of two trees has two rules for each query
    members = [trees[0:1], trees[1:3], trees[3:6], trees[6:8]]
    each = lambda z: np.array([np.mean([t.predict(z) for t in m], axis=0) for m in members])
    committee = [[rule for tree in member for rule in tree.rules()] for member in members]
    zq = pipeline.inputs(queries)
    yield case("committee", "rules", features, x, pipeline,
               {"default": float(y.mean()), "committee": committee}, queries,
               each(zq).mean(axis=0), each(zq).std(axis=0))

    scale, k = 5 * z.std(axis=0), 5
    residuals = y - each(z).mean(axis=0)
    fit = KNeighborsRegressor(k, metric="manhattan", algorithm="brute",
                              weights=lambda far: 1 / (far + 0.5)).fit(z / scale, residuals)
    good = untied(fit, zq / scale, k) | (fit.kneighbors(zq / scale)[0][:, 0] < 1e-12)
    queries, zq = queries[good], zq[good]
    instances = {"neighbours": k, "scale": scale.tolist(), "points": z.tolist(),
                 "outputs": y.tolist()}
    yield case("instances", "rules", features, x, pipeline,
               {"default": float(y.mean()), "committee": committee, "instances": instances},
               queries, each(zq).mean(axis=0) + fit.predict(zq / scale))

    limit = float(np.median(fit.kneighbors(zq / scale)[0][:, 2]))
    near = NearestNeighbors(metric="manhattan", algorithm="brute").fit(z / scale)
    corrections = []
    for row in zq / scale:
        far, index = near.kneighbors([row], k)
        far, index = far[0][far[0] <= limit], index[0][far[0] <= limit]
        corrections.append(np.average(residuals[index], weights=1 / (far + 0.5))
                           if len(far) >= (k + 1) // 2 else 0)
    yield case("instances within a limit", "rules", features, x, pipeline,
               {"default": float(y.mean()), "committee": committee,
                "instances": dict(instances, limit=limit)},
               queries, each(zq).mean(axis=0) + np.array(corrections))


def pipelines():
    """Not a surrogate: features to inputs."""
    features = ["nodes", "per_node", "receivers", "bytes"]
    x, _ = measure(features, 200)
    queries = inside(x)
    for name, options in (("nothing", {}), ("Box-Cox", {"lambdas": [0, 1, -0.5, 0.25]}),
                          ("small lambdas", {"lambdas": [1e-9, -1e-5, 1e-3, 2]}),
                          ("scaled", {"lambdas": [0, 0, 0, 0], "scale": True}),
                          ("PCA", {"lambdas": [0, 0.5, 0, 0.1], "scale": True, "components": 4}),
                          ("PCA, two components", {"scale": True, "components": 2})):
        pipeline = Pipeline(x, **options)
        yield {"name": name, "pipeline": pipeline.value(), "min": x.min(axis=0).tolist(),
               "queries": queries.tolist(), "inputs": pipeline.inputs(queries).tolist()}


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, cases in (("pipeline", pipelines), ("linear", linear), ("knn", knn), ("svr", svr),
                        ("rules", rules), ("forest", forest), ("mlp", mlp)):
        with open(os.path.join(folder, name + ".json"), "w") as file:
            # one case a line
            file.write('{"cases": [\n' + ",\n".join(json.dumps(c, separators=(",", ":"))
                                                    for c in cases()) + "\n]}\n")


if __name__ == "__main__":
    main()
