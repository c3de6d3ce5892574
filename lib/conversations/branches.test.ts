import { describe, expect, it } from "vitest";
import { conversationLimits } from "#contract/conversation-constants.ts";
import type { JsonObject } from "../schema-form/json.ts";
import { type Branches, branchAt, forksOf, pathTo, placesOf, withPath } from "./branches.ts";

const said = (role: string, content: string): JsonObject => ({ role, content });
const question = said("user", "Name a river.");
const rhine = said("assistant", "The Rhine.");
const danube = said("assistant", "The Danube.");
const more = said("user", "How long is it?");
const facts = { model: "svc/chat-1" };

const two = withPath(withPath([], [question, rhine, more]), [question, danube], facts);

describe("branches", () => {
  it("contain each message once, with facts about an answer", () => {
    expect(two).toEqual([
      { parent: null, message: question },
      { parent: 0, message: rhine },
      { parent: 1, message: more },
      { parent: 0, message: danube, facts },
    ]);
    expect(withPath(two, [{ content: "Name a river.", role: "user" }, rhine])).toEqual(two);
  });

  it("are found by the draft's messages, up to the first message that they do not contain", () => {
    expect(placesOf(two, [question, danube])).toEqual([0, 3]);
    expect(placesOf(two, [question, said("assistant", "The Elbe."), more])).toEqual([0, null, null]);
    expect(placesOf(two, [more])).toEqual([null]);
  });

  it("can be followed from one to the other, each to its end", () => {
    const places = placesOf(two, [question, danube]);
    expect(forksOf(two, places, 1)).toEqual({ forks: [1, 3], chosen: 1 });
    expect(branchAt(two, 1)).toEqual([question, rhine, more]);
    expect(branchAt(two, 3)).toEqual([question, danube]);
    expect(pathTo(two, null)).toEqual([]);
  });

  it("treat a message that the user wrote in the form as not part of any branch", () => {
    const places = placesOf(two, [question, said("assistant", "The Elbe.")]);
    expect(forksOf(two, places, 1)).toEqual({ forks: [1, 3], chosen: -1 });
    expect(forksOf(two, places, 2)).toEqual({ forks: [], chosen: -1 });
  });

  it("leave out another model's answers when that model has its own column", () => {
    const places = placesOf(two, [question, rhine]);
    expect(forksOf(two, places, 1, (branch) => branch.facts?.model !== "svc/chat-1").forks).toEqual([1]);
  });

  it("contain at most the maximum of messages", () => {
    const many: Branches = Array.from({ length: conversationLimits.messages }, (_, at) => ({
      parent: null,
      message: said("user", `${at}`),
    }));
    expect(withPath(many, [said("user", "one more")])).toEqual(many);
  });
});
