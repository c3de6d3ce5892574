import { expect, it } from "vitest";
import { createCatalog } from "#gateway/catalog/load.ts";
import type { MediaKind } from "../browser/accepted-types.ts";
import { mediaPlaces } from "./media-places.ts";
import { planForm } from "./plan-form.ts";

const { data: models } = createCatalog().list({});

function placesOf(id: string, input: Record<string, unknown>, kind: MediaKind = "image", apiType?: string) {
  const model = models.find((each) => each.id === `svc/${id}`);
  const operation = model?.operations.find(({ api_type }) => apiType === undefined || api_type === apiType);
  if (!model || !operation) throw new Error(`no ${id}`);
  return mediaPlaces(planForm(model, operation), input, kind);
}

it("is the field of one file, which is replaced", () => {
  const places = placesOf("adult-i2v-2", { image: "upload://old" });
  expect(places.map(({ title, holds }) => [title, holds])).toEqual([
    ["Image", "upload://old"],
    ["Last image", null],
  ]);
  expect(places[0]?.put({ image: "upload://old", seed: 1 }, "upload://new")).toEqual({
    image: "upload://new",
    seed: 1,
  });
});

it("is each position of a list whose order matters", () => {
  const places = placesOf("swap-1", { image: ["a"] });
  expect(places.map(({ key }) => key)).toEqual(["/image/0", "/image/1"]);
  expect(places[1]?.put({ image: ["a"] }, "b")).toEqual({ image: ["a", "b"] });
});

it("is the end of a list that has room, with what the file is for where that is clear", () => {
  const [place] = placesOf("vid-r2v", {});
  expect(place?.isList).toBe(true);
  expect(place?.put({ prompt: "x" }, "upload://a")).toEqual({
    prompt: "x",
    media: [{ url: "upload://a", type: "reference_image" }],
  });
  const full = Array.from({ length: 10 }, () => ({ url: "a", type: "reference_image" }));
  expect(placesOf("vid-r2v", { media: full })).toEqual([]);
  // No type of a reference is a sound.
  expect(placesOf("vid-r2v", {}, "audio")).toEqual([]);
});

it("is what the user said last, where the model sees", () => {
  const seeing = models.find((model) =>
    model.operations.some((operation) =>
      planForm(model, operation).fields.some((field) => field.kind === "messages" && field.pictures),
    ),
  );
  if (!seeing) return;
  const id = seeing.id.replace("svc/", "");
  const messages = [{ role: "user", content: "what is this?" }];
  expect(placesOf(id, { messages })[0]?.put({ messages }, "upload://a")).toEqual({
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "what is this?" },
          { type: "image_url", image_url: { url: "upload://a" } },
        ],
      },
    ],
  });
});

it("is nowhere where the kind is not taken", () => {
  expect(placesOf("tts-b-1", {})).toEqual([]);
  expect(placesOf("asr-1", {}, "audio")).toHaveLength(1);
});
