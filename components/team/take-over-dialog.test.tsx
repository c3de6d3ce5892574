import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { TakeOverDialog } from "./take-over-dialog.tsx";

const taken = vi.hoisted(() => vi.fn());
const active = vi.hoisted(() => ({ adult: false }));
vi.mock("@/lib/team/actions", () => ({
  handOverKeys: async (...given: unknown[]) => {
    taken(...given);
    return { answer: Promise.resolve({ ok: true, data: null }) };
  },
  loadAttestationDesk: async () => ({
    answer: Promise.resolve({
      ok: true,
      data: {
        account: { user: { name: "Ada", email: "ada@example.com" } },
        attestations: {
          statements: [
            { kind: "adult", version: "1", title: "Adult", statement: "I am.", active: active.adult },
          ],
        },
      },
    }),
  }),
}));
vi.mock("@/lib/gateway/act", () => ({
  act: async () => ({ answer: Promise.resolve({ ok: true, data: {} }) }),
}));

afterEach(() => {
  cleanup();
  taken.mockClear();
});

function show() {
  const onTaken = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TakeOverDialog
        apiKey={{ id: "key_1", name: "nightly" } as ApiKey}
        userId="usr_1"
        onTaken={onTaken}
        onClose={vi.fn()}
      />
    </QueryClientProvider>,
  );
  return { onTaken, user: userEvent.setup() };
}

test("a person takes over a key with their existing attestations", async () => {
  active.adult = true;
  const { onTaken, user } = show();
  await screen.findByText(/Adult attestation: already given/);
  await user.click(screen.getByRole("button", { name: "Take over" }));
  await vi.waitFor(() => expect(onTaken).toHaveBeenCalled());
  expect(taken).toHaveBeenCalledWith(["key_1"], "usr_1");
});

test("a person without an attestation attests first, and only then takes over the key", async () => {
  active.adult = false;
  const { onTaken, user } = show();
  const choice = await screen.findByRole("checkbox", { name: /Adult attestation/ });
  await user.click(screen.getByRole("button", { name: "Take over" }));
  await screen.findByText(/Choose at least one attestation/);
  expect(taken).not.toHaveBeenCalled();
  await user.click(choice);
  await user.click(screen.getByRole("button", { name: "Read and attest" }));
  await user.click(await screen.findByRole("checkbox", { name: /I have read/ }));
  await user.click(screen.getByRole("button", { name: "Review" }));
  expect(taken).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Record attestation" }));
  await vi.waitFor(() => expect(onTaken).toHaveBeenCalled());
});
