import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import { AccessProvider } from "@/components/team/access";
import type { GatewayResult } from "@/lib/gateway/result";
import { addKey } from "@/lib/gateway/secret-actions";
import { CreateKeyDialog } from "./create-key-dialog.tsx";

vi.mock("@/lib/gateway/secret-actions", () => ({ addKey: vi.fn() }));
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh: () => undefined }) }));
afterEach(cleanup);

function open() {
  const answer = Promise.withResolvers<GatewayResult<ApiKeyWithSecret>>();
  const create = vi.mocked(addKey).mockReset();
  create.mockImplementation(async () => ({ answer: answer.promise }));
  const onCreated = vi.fn();
  const onClose = vi.fn();
  render(<CreateKeyDialog modelIds={[]} onCreated={onCreated} onClose={onClose} />);
  return { answer, create, onCreated, onClose };
}

const cancel = () => screen.getByRole<HTMLButtonElement>("button", { name: "Cancel" });

it("stays open while the key is created, so that its secret is seen", async () => {
  const { answer, create, onCreated, onClose } = open();
  await userEvent.type(screen.getByLabelText(/Name/), "nightly renders");
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  await vi.waitFor(() => expect(create).toHaveBeenCalledTimes(1));

  const dialog = screen.getByRole("dialog");
  fireEvent.keyDown(screen.getByLabelText(/Name/), { key: "Escape" });
  fireEvent(dialog, new Event("cancel", { cancelable: true }));
  fireEvent.mouseDown(dialog);
  expect(cancel().disabled).toBe(true);
  expect(onClose).not.toHaveBeenCalled();

  answer.resolve({ ok: true, data: { secret: "sk_1" } as ApiKeyWithSecret });
  await vi.waitFor(() => expect(onCreated).toHaveBeenCalledWith({ secret: "sk_1" }));
  await vi.waitFor(() => expect(cancel().disabled).toBe(false));
});

it("loses no typed text through a click beside it; Escape and Cancel still close it", async () => {
  const { onClose } = open();
  await userEvent.type(screen.getByLabelText(/Name/), "n");
  fireEvent.mouseDown(screen.getByRole("dialog"));
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByLabelText(/Name/), { key: "Escape" });
  fireEvent.click(cancel());
  expect(onClose).toHaveBeenCalledTimes(2);
});

it("tells operators, and nobody else, how a key for the installation is made", () => {
  open();
  expect(screen.queryByText(/keys create --operator/)).toBeNull();
  cleanup();
  const account = { user: { id: "user_1", operator: true }, role: "owner", permissions: [] };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessProvider account={account as unknown as CurrentAccount} permissionsByRoles={[]}>
        <CreateKeyDialog modelIds={[]} currency="USD" onCreated={vi.fn()} onClose={vi.fn()} />
      </AccessProvider>
    </QueryClientProvider>,
  );
  screen.getByText(/keys create --operator/);
});

it("closes by a click beside it if nothing was typed", () => {
  const { onClose } = open();
  fireEvent.mouseDown(screen.getByRole("dialog"));
  expect(onClose).toHaveBeenCalledTimes(1);
});
