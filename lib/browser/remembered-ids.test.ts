import { beforeEach, describe, expect, it } from "vitest";
import { forgetId, rememberedIds, rememberId } from "./remembered-ids.ts";

describe("remembered ids", () => {
  beforeEach(() => localStorage.clear());

  it("come newest first, without duplicates", () => {
    for (const id of ["upl_1", "upl_2", "upl_1"]) rememberId("upload", id);
    expect(rememberedIds("upload")).toEqual(["upl_1", "upl_2"]);
    expect(rememberedIds("prediction")).toEqual([]);
  });

  it("can be forgotten", () => {
    rememberId("prediction", "pred_1");
    forgetId("prediction", "pred_1");
    expect(rememberedIds("prediction")).toEqual([]);
  });

  it("number a hundred at most", () => {
    for (let n = 0; n < 120; n++) rememberId("upload", `upl_${n}`);
    expect(rememberedIds("upload")).toHaveLength(100);
    expect(rememberedIds("upload")[0]).toBe("upl_119");
  });

  it("are an empty list when the storage is damaged", () => {
    localStorage.setItem("gatehouse-remembered-uploads", "{");
    expect(rememberedIds("upload")).toEqual([]);
    rememberId("upload", "upl_1");
    expect(rememberedIds("upload")).toEqual(["upl_1"]);
  });
});
