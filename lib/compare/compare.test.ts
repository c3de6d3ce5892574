import { expect, it } from "vitest";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { compiledPart } from "@/messages/compile";
import { wordsOf } from "@/messages/words";
import { english } from "@/scripts/testing/english";
import { candidatesOf, fitting } from "./candidates.ts";
import { commonFrom, mergedInputs } from "./common-input.ts";
import { ideasOf, suggestedFor } from "./ideas.ts";
import { candidateKey } from "./kinds.ts";
import { rowFor } from "./row-for.ts";

const t = english("compare");
const zh = wordsOf<"compare">(compiledPart("zh-CN", "compare"), "zh-CN", "UTC");
const models = createCatalog().list().data;
const candidates = candidatesOf(models, english("inputForm"));
const find = (model: string, apiType: string) => {
  const found = candidates.find(({ key }) => key === candidateKey(model, apiType));
  if (!found) throw new Error(`no ${model} ${apiType}`);
  return found;
};
const photo = "upload://upl_01jd0000000000000000000001";
const offered = (input: Parameters<typeof fitting>[1]) => fitting(candidates, input).map(({ key }) => key);

it("offers models that accept every given input, and no model that needs another file", () => {
  expect(offered({})).toEqual([]);
  const words = offered({ text: "a pine" });
  for (const key of [
    "svc/chat-1:chat-completions",
    "svc/tts-b-1:text-to-speech",
    "svc/img-gen-b:image-generation",
  ])
    expect(words).toContain(key);
  expect(words.filter((key) => /i2v|edit|asr|swap|animate|r2v/.test(key))).toEqual([]);
  expect(offered({ text: "a pine", images: [photo] })).toEqual([
    "svc/img-gen-a-1:image-editing",
    "svc/img-gen-a-2:image-editing",
    "svc/vid-r2v:video-generation",
    ...["1", "2", "3", "4"].map((tier) => `svc/adult-vid-${tier}:video-generation`),
    ...["1", "2", "3"].map((tier) => `svc/adult-i2v-${tier}:video-generation`),
    "svc/adult-edit:image-editing",
  ]);
  expect(offered({ images: [photo, photo] })).toContain("svc/swap-1:image-editing");
  expect(offered({ images: [photo], video: photo })).toContain("svc/adult-animate:video-generation");
  expect(offered({ audio: photo })).toContain("svc/asr-1:audio-transcription");
});

it("puts the common input into the fields that each model has for it", () => {
  const input = { text: "a pine", images: [photo] };
  const rows = [
    ["svc/img-gen-a-1", "image-editing", { prompt: "a pine", image: [photo] }],
    ["svc/adult-i2v-1", "video-generation", { prompt: "a pine", image: photo }],
    ["svc/vid-r2v", "video-generation", { media: [{ type: "first_frame", url: photo }] }],
    ["svc/adult-vid-1", "video-generation", { mode: "image-to-video", first_frame: photo, audio: true }],
  ] as const;
  for (const [model, apiType, part] of rows)
    expect(rowFor(find(model, apiType), input, t).row).toMatchObject({ model, api_type: apiType, ...part });
  const earlier = [{ role: "system", content: "Be brief." }];
  expect(rowFor(find("svc/chat-1", "chat-completions"), { text: "Hello", earlier }, t).row.messages).toEqual([
    ...earlier,
    { role: "user", content: "Hello" },
  ]);
});

it("describes in words which inputs a model ignores or changes", () => {
  const input = {
    text: "a pine",
    images: [photo, photo],
    options: { negative_prompt: "people", n: 4, duration: 12 },
  };
  const words = (model: string, apiType: string, given: Parameters<typeof rowFor>[1] = input, inWords = t) =>
    rowFor(find(model, apiType), given, inWords).differs;
  expect(words("svc/adult-edit", "image-editing")).toBe(
    "Takes no negative prompt or duration, uses the first of 2 pictures and makes 1 picture instead of 4.",
  );
  expect(words("svc/adult-i2v-2", "video-generation")).toBe(
    "Takes no negative prompt, uses the first of 2 pictures, makes 1 video instead of 4 and uses duration 8 instead of 12.",
  );
  expect(words("svc/img-gen-a-1", "image-generation", { text: "a", options: { n: 4 } })).toBeNull();
  expect(words("svc/img-gen-b", "image-generation", { text: "a", options: { size: "1024*1024" } })).toBe(
    "Does not support size 1024*1024.",
  );
  expect(words("svc/swap-1", "image-editing", { images: [photo, photo], text: "a" })).toBe(
    "Takes no prompt, uses picture 1 as target (the image to change) and uses picture 2 as source (the face to insert).",
  );
  expect(words("svc/adult-i2v-2", "video-generation", input, zh)).toBe(
    "不接受反向提示词；只使用 2 张图片中的第一张；生成 1 个视频，而不是 4 个；时长使用 8，而不是 12。",
  );
});

it("uses a model's example for inputs that only it needs, until the user sets a value", () => {
  const drawing = find("svc/img-gen-b", "image-generation");
  expect(rowFor(drawing, { text: "a" }, t).row).toMatchObject({ size: "1024x1024", quality: "medium" });
  expect(rowFor(drawing, { text: "a" }, t, { quality: "low" }).row).toMatchObject({ quality: "low" });
  expect(rowFor(drawing, { text: "a", options: { quality: "high" } }, t).row).toMatchObject({
    quality: "high",
  });
});

it("copies a run's input to a comparison, and combines the inputs of a comparison's rows", () => {
  const edit = commonFrom(find("svc/adult-i2v-1", "video-generation"), {
    model: "svc/adult-i2v-1",
    prompt: "a pine",
    image: photo,
    seed: 7,
    stream: true,
  });
  expect(edit).toEqual({ text: "a pine", images: [photo], options: { seed: 7 } });
  const chat = commonFrom(find("svc/chat-1", "chat-completions"), {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    stream: true,
  });
  expect(chat).toEqual({ text: "Hello", earlier: [{ role: "system", content: "Be brief." }] });
  expect(mergedInputs([edit, { text: "a pine", images: [photo, photo], options: { n: 2 } }])).toEqual({
    text: "a pine",
    images: [photo, photo],
    options: { seed: 7, n: 2 },
  });
});

it("has an idea of each usual kind, which several models of that kind can run without an attestation", () => {
  const ideas = ideasOf(models, candidates);
  expect(ideas.map(({ title }) => title)).toEqual(["editAPhoto", "makeAPicture", "askAQuestion"]);
  expect(ideas.map(({ input }) => input.images?.length ?? 0)).toEqual([1, 0, 0]);
  const kinds = ideas.map((idea) => suggestedFor(idea, candidates).map(({ apiType }) => apiType));
  for (const chosen of kinds) expect(chosen.length).toBeGreaterThan(1);
  expect(kinds.map((chosen) => [...new Set(chosen)])).toEqual([
    ["image-editing"],
    ["image-generation"],
    ["chat-completions"],
  ]);
  expect(ideasOf([], [])).toEqual([]);
});
