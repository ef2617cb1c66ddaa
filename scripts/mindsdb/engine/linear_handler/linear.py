"""A small engine that really trains, for MindsDB releases that come without one: linear models by least squares.

A target of numbers gives a regression (r2_score), any other a classification (balanced_accuracy_score).
USING ridge = 1.0         how strongly coefficients are held back
USING sleep = 3           train no faster than that, in seconds
USING fail_train = 'why'  fail in training, with this reason
"""

import json
import time

import numpy as np
import pandas as pd

from mindsdb.integrations.libs.base import BaseMLEngine

MAX_CATEGORIES = 40
HELD_OUT = 0.2


class LinearHandler(BaseMLEngine):
    name = "linear"

    def create(self, target, df=None, args=None):
        using = (args or {}).get("using") or {}
        time.sleep(float(using.get("sleep", 0)))
        if "fail_train" in using:
            raise RuntimeError(using["fail_train"])
        if df is None or target not in df.columns:
            raise ValueError(f"No column named {target} to learn from")
        started = time.time()

        rows = df[df[target].notna()].sample(frac=1, random_state=7).reset_index(drop=True)
        inputs = [describe_column(rows[name]) for name in rows.columns if name != target]
        output = describe_column(rows[target])
        if output["kind"] == "number":
            metric, score_of = "r2_score", r2_score
        else:
            metric, score_of = "balanced_accuracy_score", balanced_accuracy_score
        x, y = encode(rows, inputs), encode(rows, [output])
        test = slice(0, max(1, int(len(rows) * HELD_OUT)))
        train = slice(test.stop, None)
        weights = fit(x[train], y[train], float(using.get("ridge", 1.0)))

        score = score_of(apply(x[test], weights), y[test])
        importances = {}
        for column in inputs:
            shuffled = rows[test].copy()
            shuffled[column["name"]] = shuffled[column["name"]].sample(frac=1, random_state=11).to_numpy()
            without = score_of(apply(encode(shuffled, inputs), weights), y[test])
            importances[column["name"]] = round(max(0.0, score - without), 4)

        self.model_storage.json_set(
            "model",
            {
                "inputs": inputs,
                "output": output,
                "weights": weights.tolist(),
                "spread": float(np.std(apply(x[test], weights) - y[test]) * deviation(output)),
                "metric": metric,
                "score": round(score, 4),
                "importances": importances,
                "training_time": round(time.time() - started, 3),
            },
        )

    def predict(self, df, args=None):
        model = self.model_storage.json_get("model")
        output = model["output"]
        names = [column["name"] for column in model["inputs"]]
        if not any(name in df.columns for name in names):
            raise ValueError(f"None of the input columns is there: {names}")
        scores = apply(encode(df, model["inputs"]), np.array(model["weights"]))

        if output["kind"] == "number":
            values = (scores[:, 0] * output["std"] + output["mean"]).round(2).tolist()
            reach = 1.96 * model["spread"]
            details = [
                {
                    "confidence": max(0.0, model["score"]),
                    "confidence_lower_bound": round(value - reach, 2),
                    "confidence_upper_bound": round(value + reach, 2),
                }
                for value in values
            ]
        else:
            values = [output["values"][best] for best in scores.argmax(axis=1)]
            details = [{"confidence": float(score)} for score in scores.max(axis=1).clip(0, 1).round(4)]
        result = df.reset_index(drop=True).copy()
        result[output["name"]] = values
        result[f"{output['name']}_explain"] = [
            json.dumps({"predicted_value": value, **detail}) for value, detail in zip(values, details)
        ]
        return result

    def describe(self, attribute=None):
        attribute = attribute[0] if isinstance(attribute, list) and attribute else attribute
        if attribute not in ("info", "features", "model"):
            return pd.DataFrame({"tables": ["info", "features", "model"]})
        model = self.model_storage.json_get("model")
        inputs, output = model["inputs"], model["output"]
        if attribute == "info":
            row = {
                "accuracies": {model["metric"]: model["score"]},
                "column_importances": model["importances"],
                "outputs": [output["name"]],
                "inputs": [column["name"] for column in inputs],
                "model": f"encoders --> linear --> {output['kind']}",
            }
            return pd.DataFrame([row])
        if attribute == "features":
            rows = [
                {"column": column["name"], "type": column["kind"], "encoder": "OneHot", "role": role}
                for column, role in [*((column, "feature") for column in inputs), (output, "target")]
            ]
            return pd.DataFrame(rows)
        row = {
            "name": "Linear",
            "performance": model["score"],
            "training_time": model["training_time"],
            "selected": 1,
            "accuracy_functions": [model["metric"]],
        }
        return pd.DataFrame([row])


def describe_column(values):
    """What must be known of a column to encode it: its scale if it holds numbers, else its commonest values."""
    numbers = pd.to_numeric(values, errors="coerce")
    if numbers.notna().mean() > 0.95:
        return {
            "name": values.name,
            "kind": "number",
            "mean": float(numbers.mean()),
            "std": float(numbers.std()) or 1.0,
        }
    common = values.astype(str).value_counts().index[:MAX_CATEGORIES]
    return {"name": values.name, "kind": "category", "values": sorted(common)}


def encode(df, columns):
    """A matrix with one row a row: a number scaled (a missing one as the mean), a category as one 0 or 1 a value."""
    parts = []
    for column in columns:
        values = df[column["name"]] if column["name"] in df.columns else pd.Series([None] * len(df))
        if column["kind"] == "number":
            numbers = pd.to_numeric(values, errors="coerce").astype(float).fillna(column["mean"]).to_numpy()
            parts.append(((numbers - column["mean"]) / column["std"])[:, None])
        else:
            parts.append((values.astype(str).to_numpy()[:, None] == np.array(column["values"])).astype(float))
    return np.hstack(parts)


def fit(x, y, ridge):
    """Coefficients by ridge regression; the last row is the constant."""
    mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)
    centered = x - mean_x
    weights = np.linalg.solve(centered.T @ centered + ridge * np.eye(x.shape[1]), centered.T @ (y - mean_y))
    return np.vstack([weights, mean_y - mean_x @ weights])


def apply(x, weights):
    return x @ weights[:-1] + weights[-1]


def deviation(column):
    return column.get("std", 1.0)


def r2_score(predicted, actual):
    return 1.0 - float(((predicted - actual) ** 2).sum() / ((actual - actual.mean()) ** 2).sum())


def balanced_accuracy_score(predicted, actual):
    found, wanted = predicted.argmax(axis=1), actual.argmax(axis=1)
    return float(np.mean([(found[wanted == value] == value).mean() for value in np.unique(wanted)]))
