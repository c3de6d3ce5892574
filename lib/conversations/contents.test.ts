import { expect, it } from "vitest";
import type { Conversation } from "#contract/conversations.ts";
import { contentsOf, newConversation, openedConversation } from "./kept-conversation.ts";
import { emptyMessage } from "./thread.ts";

const question = { role: "user", content: "Name a river." };
const rhine = { role: "assistant", content: "The Rhine." };
const danube = { role: "assistant", content: "The Danube." };

it("saves the messages of both models and opens them unchanged", () => {
  const system = { role: "system", content: "Be brief." };
  const draft = {
    messages: [system, question, rhine, { role: "user", content: "not sent" }],
    temperature: 0.2,
    person_rights_confirmed: true,
  };
  const second = { model: "svc/chat-2", past: [question, danube] };
  const contents = contentsOf(draft, { ...newConversation, second });
  expect(contents).toEqual({
    system: "Be brief.",
    settings: { temperature: 0.2 },
    messages: [
      { parent: null, message: question },
      { parent: 0, message: rhine },
      { parent: 0, message: danube },
    ],
    current: 1,
    second_current: 2,
  });
  const saved = { id: "conv_1", name: "Rivers", version: 3, second_model: "svc/chat-2", contents };
  expect(openedConversation(saved as unknown as Conversation)).toEqual({
    input: { messages: [system, question, rhine, emptyMessage], temperature: 0.2 },
    kept: {
      branches: contents.messages,
      second,
      saved: { id: "conv_1", name: "Rivers", version: 3 },
    },
  });
  expect(openedConversation({ ...saved, contents: null } as unknown as Conversation)).toBeNull();
});
