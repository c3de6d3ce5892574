import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { ImportPricesDialog } from "./import-dialog.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh: () => undefined }) }));
afterEach(cleanup);

const list = { "gpt-5": { mode: "chat", litellm_provider: "openai", input_cost_per_token: 1.25e-6 } };
const route = {
  ...{ routeId: "rte_1", provider: "acme", upstreamModel: "gpt-5" },
  ...{ weight: null, regions: ["us-virginia"] },
};
const operation = { model: "acme/gone", apiType: "chat-completions" as const, chain: [route] };

it.each([
  [["acme/gone"], /Not in the catalog.*acme\/gone/],
  [[], /^1 price imported$/],
])("says which imported models are unknown here: %o", async (unknown_models, words) => {
  const data = { data: [{}], refused: [], unknown_models };
  vi.mocked(act).mockImplementation(async () => ({ answer: Promise.resolve({ ok: true, data } as never) }));
  const close = vi.fn();
  const { baseElement } = render(
    <ToastProvider>
      <ImportPricesDialog
        prices={[]}
        operations={[operation]}
        presets={{ acme: null }}
        currency="USD"
        onClose={close}
      />
    </ToastProvider>,
  );
  const person = userEvent.setup();
  const input = baseElement.querySelector<HTMLInputElement>("input[type=file]");
  if (input)
    await person.upload(input, new File([JSON.stringify(list)], "prices.json", { type: "application/json" }));
  await person.click(await screen.findByRole("button", { name: "Set 1 price" }));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByText(/Not in the catalog/) !== null).toBe(unknown_models.length > 0);
  expect(close).toHaveBeenCalled();
});
