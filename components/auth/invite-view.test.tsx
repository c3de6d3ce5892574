import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { InvitationPreview } from "#contract/accounts/team.ts";
import type { SessionView } from "@/lib/person";
import { InviteView } from "./invite-view.tsx";

const preview: InvitationPreview = {
  object: "invitation_preview",
  account_name: "Studio",
  email: "grace@example.com",
  role: "member",
  state: "open",
  invited_by: "Ada",
  expires_at: "2026-12-01T00:00:00.000Z",
};
const session = (email: string): SessionView => ({
  kind: "user",
  person: `hash of ${email}`,
  accountId: "acc_1",
  accountName: "Other",
  name: "Ada",
  email,
});

beforeEach(() => window.history.replaceState(null, "", "#inv_1.secret"));
afterEach(cleanup);

function show(signedIn: SessionView | null) {
  const joinAsNew = vi.fn(async () => new Promise<never>(() => undefined));
  const joinAsSignedIn = vi.fn(async () => new Promise<never>(() => undefined));
  render(
    <InviteView
      session={signedIn}
      look={async () => ({ answer: Promise.resolve({ ok: true, data: preview }) })}
      joinAsNew={joinAsNew}
      joinAsSignedIn={joinAsSignedIn}
      providerName={null}
      joinWithProvider={async () => new Promise<never>(() => undefined)}
    />,
  );
  return { joinAsNew, joinAsSignedIn, user: userEvent.setup() };
}

async function join(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByRole("textbox", { name: /Your name/ }), "Grace");
  await user.type(screen.getByLabelText(/^Password/), "four words apart");
  await user.click(screen.getByRole("button", { name: "Join" }));
}

test("another person's session is named, and ends only after a confirmation", async () => {
  const { joinAsNew, user } = show(session("ada@example.com"));
  await screen.findByText(/You are signed in as Ada \(ada@example.com\)/);
  expect(screen.queryByRole("textbox", { name: /Your name/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Join as grace@example.com" }));
  await join(user);
  await vi.waitFor(() =>
    expect(joinAsNew).toHaveBeenCalledWith(
      expect.objectContaining({ name: "Grace" }),
      "hash of ada@example.com",
    ),
  );
});

test("without a session, the page offers both ways to join, whether or not the address has a user", async () => {
  const { joinAsNew, user } = show(null);
  await screen.findByRole("tab", { name: "I already have an account here" });
  await join(user);
  await vi.waitFor(() => expect(joinAsNew).toHaveBeenCalledWith(expect.anything(), null));
});

test("the person to whom the invitation is addressed joins with one click", async () => {
  const { joinAsSignedIn, user } = show(session("grace@example.com"));
  await user.click(await screen.findByRole("button", { name: "Join Studio" }));
  expect(joinAsSignedIn).toHaveBeenCalledWith("inv_1.secret");
});
