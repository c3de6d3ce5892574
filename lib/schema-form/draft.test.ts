import { describe, expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { draftsStore, exampleDraft, mergeForm, readDraft, tabStore, toRequest, writeDraft } from "./draft.ts";
import type { FormPlan, PlannedField } from "./plan.ts";

const base = { title: "", hint: null, schema: {}, inferred: false, advanced: false };
const prompt: PlannedField = {
  ...base,
  name: "prompt",
  kind: "prompt",
  required: true,
  minLength: 1,
  maxLength: 10,
};
const voice: PlannedField = {
  ...base,
  name: "voice",
  kind: "text",
  required: false,
  minLength: 0,
  maxLength: null,
  suggestions: [],
  entry: "text",
};
const plan: FormPlan = {
  modelId: "svc/a",
  fields: [prompt, voice],
  t: english("inputForm"),
  fixed: { model: "svc/a" },
  hidden: ["n"],
};

describe("JSON text of a draft", () => {
  it.each(['{"a": 1,\n "b": }', '{"a": "open', "[1]", ""])("has no value when it is %j", (text) => {
    expect(readDraft(text)).toEqual({ text, value: null });
  });

  it("stays exactly as the user typed it", () => {
    expect(readDraft('{ "a":1 }').text).toBe('{ "a":1 }');
  });
});

describe("the request made from a draft", () => {
  it("contains the model, and leaves out optional fields that are empty", () => {
    expect(toRequest({ model: "svc/other", prompt: "", voice: "", extra: "" }, plan)).toEqual({
      model: "svc/a",
      prompt: "",
      extra: "",
    });
  });

  it("passes hidden and unknown keys on", () => {
    expect(toRequest({ n: 1, other: { deep: [null] } }, plan)).toEqual({
      model: "svc/a",
      n: 1,
      other: { deep: [null] },
    });
  });
});

it("drops fields that the user cleared in the form, and keeps the order of the others", () => {
  const merged = mergeForm({ extra: 1, voice: "a", prompt: "b" }, { prompt: "c" }, plan);
  expect(JSON.stringify(merged)).toBe('{"extra":1,"prompt":"c"}');
});

describe("a stored draft", () => {
  const memory = () => {
    const map = new Map<string, string>();
    return {
      map,
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    };
  };

  it("is restored unchanged, only for its account and operation", () => {
    const store = memory();
    draftsStore("acct_1", store).save("svc/a:x", writeDraft({ prompt: "Hi" }));
    expect(draftsStore("acct_1", store).load("svc/a:x")?.value).toEqual({ prompt: "Hi" });
    expect(draftsStore("acct_2", store).load("svc/a:x")).toBeNull();
    expect(draftsStore("acct_1", store).load("svc/a:y")).toBeNull();
  });

  it("is restored even if its JSON is broken", () => {
    const store = memory();
    draftsStore("acct_1", store).save("op", readDraft('{"prompt": '));
    expect(draftsStore("acct_1", store).load("op")).toMatchObject({ text: '{"prompt": ', value: null });
  });

  it("never contains the confirmation of person rights", () => {
    const store = memory();
    const drafts = draftsStore("acct_1", store);
    drafts.save("op", writeDraft({ prompt: "Hi", person_rights_confirmed: true }));
    expect([...store.map.values()].join()).not.toContain("person_rights");
    expect(drafts.save("op", readDraft('{"person_rights_confirmed": true,'))).toBe(false);
    expect([...store.map.values()].join()).not.toContain("person_rights");
    store.setItem("gatehouse:draft:acct_1:op", '{"person_rights_confirmed": true}');
    expect(drafts.load("op")?.value).toEqual({});
    expect(exampleDraft(plan, { prompt: "a", person_rights_confirmed: true }).value).toEqual({ prompt: "a" });
  });

  it("belongs to its tab, also after a reload; a new tab begins with the last one", () => {
    const browser = memory();
    const open = (tab = memory()) => {
      const reload = () => draftsStore("acct_1", tabStore(browser, tab));
      return { reload, text: () => reload().load("op")?.value?.prompt ?? null };
    };
    const [first, second, third] = [open(), open(), open()];
    expect(third.text()).toBeNull();
    first.reload().save("op", writeDraft({ prompt: "boats" }));
    second.reload().save("op", writeDraft({ prompt: "herons" }));
    expect([first.text(), second.text(), third.text(), open().text()]).toEqual([
      "boats",
      "herons",
      null,
      "herons",
    ]);
    second.reload().forget("op");
    expect([first.text(), second.text(), open().text()]).toEqual(["boats", null, null]);
  });

  it("is the browser's where a tab's own storage is full", () => {
    const [browser, full] = [
      memory(),
      {
        ...memory(),
        setItem: () => {
          throw new Error("quota");
        },
      },
    ];
    full.map.set("gatehouse:draft:acct_1:op", '{"prompt": "old"}');
    const drafts = draftsStore("acct_1", tabStore(browser, full));
    expect(drafts.save("op", writeDraft({ prompt: "new" }))).toBe(true);
    expect(drafts.load("op")?.value).toEqual({ prompt: "new" });
  });

  it("reports when the browser refuses to store it", () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error("quota");
      },
    };
    expect(draftsStore("acct_1", full).save("op", writeDraft({}))).toBe(false);
  });
});
