import { expect, it } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { modelsByKind } from "./usual-names.ts";

const model = (id: string, kind: string, by: string) =>
  ({
    id,
    api_types: [kind],
    operations: [{ deployments: [{ svc_served_by: by }] }],
  }) as unknown as CatalogModel;

it("lists the models of each kind, those of a provider first", () => {
  const found = modelsByKind([
    model("svc/chat-1", "chat-completions", "sandbox"),
    model("acme/fast", "chat-completions", "provider"),
    model("svc/asr-1", "audio-transcription", "sandbox"),
  ]);
  const of = (wanted: string) => found.find(({ kind }) => kind === wanted)?.models;
  expect([of("chat-completions"), of("audio-transcription"), of("embeddings")]).toEqual([
    ["acme/fast", "svc/chat-1"],
    ["svc/asr-1"],
    [],
  ]);
});
