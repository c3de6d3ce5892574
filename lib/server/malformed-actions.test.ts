import { expect, it, vi } from "vitest";
import * as signIn from "@/app/sign-in/actions";
import { handOverKeys } from "../team/actions.ts";

const refused = { ok: false, error: { code: "invalid_parameter" } };

vi.mock("./gateway/sign-in.ts", async (original) => ({
  ...(await original<typeof import("./gateway/sign-in.ts")>()),
  currentVisitor: async () => ({}),
  setUpGateway: async () => refused,
  acceptInvitation: async () => refused,
  resetPassword: async () => refused,
}));
vi.mock("./session.ts", async (original) => ({
  ...(await original<typeof import("./session.ts")>()),
  sessionToken: async () => null,
  currentSession: async () => null,
}));
vi.mock("./gateway/request.ts", () => ({ requestRoute: async () => refused }));

/** Anybody can call an action with anything. */
type Anything = (...words: unknown[]) => Promise<unknown>;

it.each([undefined, null, 7, "x", [], {}, new Map()])(
  "an action that is called with %o is refused, and is no error of the console",
  async (word) => {
    const { setUp, joinAsNew, setPassword } = signIn as unknown as Record<string, Anything>;
    for (const action of [setUp, joinAsNew, setPassword, handOverKeys as unknown as Anything]) {
      const answer = (await action?.(word)) as { answer?: Promise<unknown> };
      expect(await (answer.answer ?? answer)).toMatchObject(
        action === (handOverKeys as unknown) && Array.isArray(word) ? { ok: true } : { ok: false },
      );
    }
  },
);
