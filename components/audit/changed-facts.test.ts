import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { changedFacts } from "./audit-detail.tsx";

const t = english("auditLog");

const provider = {
  name: "replicate",
  base_url: "https://api.replicate.com/v1",
  settings: {},
  credentials: { "us-virginia": { has_key: true } },
};

it("shows which values a change replaced, and no unchanged ones", () => {
  const after = { ...provider, base_url: "https://eu.example.com/v1", allow_private: false };
  expect(changedFacts(t, provider, after)).toEqual([
    { name: "base url", before: "https://api.replicate.com/v1", after: "https://eu.example.com/v1" },
    { name: "allow private", before: null, after: "no" },
  ]);
  expect(changedFacts(t, null, provider).map(({ name }) => name)).toEqual([
    "name",
    "base url",
    "credentials us-virginia has key",
  ]);
});

it("identifies routes by their ids, and shows their contents", () => {
  const chat = {
    id: "rte_1",
    models: ["svc/chat-1", "svc/chat-2"],
    provider: "ollama",
    upstream_model: "qwen3",
  };
  const own = { id: "rte_2", models: ["acme/pictures"], provider: "replicate", upstream_model: "acme/x" };
  expect(changedFacts(t, { routes: [chat, own] }, { routes: [own] })).toEqual([
    { name: "routes", before: "svc/chat-1, svc/chat-2 at ollama qwen3", after: null },
  ]);
  expect(changedFacts(t, { routes: [own] }, { routes: [{ ...own, priority: 2 }] })).toEqual([
    {
      name: "routes",
      before: "acme/pictures at replicate acme/x",
      after: "acme/pictures at replicate acme/x; priority 2",
    },
  ]);
});
