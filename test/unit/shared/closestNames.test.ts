import assert from "node:assert/strict";
import { closestNames } from "../../../src/shared/closestNames.ts";

describe("Closest names", () => {
  const closest = (wanted: string, names: string[], most?: number) =>
    closestNames(wanted, names, (name) => name, most);

  it("are those that differ in a few letters, the best first", () => {
    const names = ["home_rentals_model", "home_rental_model", "location_model", "days_on_market"];
    assert.deepEqual(closest("home_rentls_model", names), [
      "home_rentals_model",
      "home_rental_model",
    ]);
    assert.deepEqual(closest("HOME_RENTALS_MODEL", names, 1), ["home_rentals_model"]);
  });

  it("are those that contain the input", () => {
    assert.deepEqual(closest("rentals", ["home_rentals_model", "other"]), ["home_rentals_model"]);
    assert.deepEqual(closest("m", ["home"]), []);
  });

  it("are empty if no name is similar", () => {
    assert.deepEqual(closest("xyz", ["limit", "rows"]), []);
    assert.deepEqual(closest("", ["limit"]), []);
    assert.deepEqual(closest("a".repeat(101), ["a".repeat(102)]), []);
  });
});
