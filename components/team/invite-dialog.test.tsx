import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Member } from "#contract/accounts/team.ts";
import { invite } from "@/lib/gateway/secret-actions";
import { InviteDialog } from "./invite-dialog.tsx";

const member = { id: "usr_1", name: "Maya", email: "maya@example.com" } as Member;

vi.mock("@/lib/gateway/secret-actions", () => ({ invite: vi.fn() }));
afterEach(cleanup);

test("an address that looks like a member's causes a warning, and one that mixes alphabets is not sent", async () => {
  render(<InviteDialog members={[member]} onInvited={vi.fn()} onClose={vi.fn()} />);
  const user = userEvent.setup();
  const field = screen.getByRole("textbox", { name: /E-mail/ });
  await user.type(field, "maya@exarnple.com");
  await screen.findByText(/looks like that of Maya/);
  await user.clear(field);
  await user.type(field, "m\u0430ya@example.com");
  await user.click(screen.getByRole("button", { name: "Create link" }));
  await screen.findByText(/mixes similar-looking letters of several alphabets/);
  expect(invite).not.toHaveBeenCalled();
});
