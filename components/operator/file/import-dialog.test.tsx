import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileProposal, ProvidersFileImported } from "#contract/operator/file.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act, changeConfiguration } from "@/lib/gateway/act";
import { ImportDialog } from "./import-dialog.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn(), changeConfiguration: vi.fn() }));
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh: () => undefined }) }));
afterEach(cleanup);

const file = { providers: {}, routes: [] };
const proposal: FileProposal = {
  object: "providers_file_proposal",
  file,
  findings: [],
  calls: [],
  listed: [],
  has_more: false,
};
const preview = {
  ...{
    created: ["openrouter"],
    kept: [],
    models: ["vendor/small"],
    models_kept: [],
    routes: 1,
    routes_kept: 0,
  },
  ...{ aliases: ["gpt-4o"], aliases_kept: [], prices: 2, prices_kept: 0, problems: [], notes: [] },
  missing_keys: [{ name: "OPENROUTER_API_KEY", provider: "openrouter", region: "us-virginia" }],
} as unknown as ProvidersFileImported;

const answers: Record<string, (body: Record<string, unknown>) => unknown> = {};
const sent: [string, Record<string, unknown>][] = [];
beforeEach(() => {
  sent.length = 0;
  const answer = (route: string, options: unknown) => {
    const { body } = options as { body: Record<string, unknown> };
    sent.push([route, body]);
    return { answer: Promise.resolve({ ok: true, data: answers[route]?.(body) } as never) };
  };
  vi.mocked(act).mockImplementation(async (...given: unknown[]) => answer(given[0] as string, given[1]));
  vi.mocked(changeConfiguration).mockImplementation((...given: unknown[]) => {
    answer(given[0] as string, given[1]);
    const changed = { ok: true, data: { data: preview, changeId: "audit_1" } };
    return Promise.resolve({ answer: Promise.resolve(changed) }) as never;
  });
  answers["POST /operator/file"] = () => preview;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <ImportDialog onClose={vi.fn()} />
      </ToastProvider>
    </QueryClientProvider>,
  );
});

test("a config.yaml is converted, and what it leaves out is shown beside the preview", async () => {
  answers["POST /operator/file/proposal"] = () => ({
    ...proposal,
    findings: [
      { place: "litellm_settings.cache", reason: "Gatehouse keeps no answers.", todo: "Write `it` down." },
    ],
    calls: [{ method: "PATCH", path: "/v1/account/budgets", body: { budgets: [] } }],
  });
  await userEvent.click(screen.getByLabelText("LiteLLM"));
  screen.getByRole("button", { name: "Choose config.yaml" });
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (input)
    await userEvent.upload(input, new File(["model_list: []"], "config.yaml", { type: "" }), {
      applyAccept: false,
    });
  await screen.findByText("Gatehouse keeps no answers.", { exact: false });
  screen.getByText(/PATCH \/v1\/account\/budgets/);
  screen.getByText("gpt-4o");
  expect(screen.getByText("it").tagName).toBe("CODE");
  screen.getByText(/1 key is missing/);
  await userEvent.click(screen.getByRole("button", { name: "Enter it" }));
  expect(document.activeElement).toBe(screen.getByLabelText(/Key for OPENROUTER_API_KEY/));
  expect(sent[0]).toEqual(["POST /operator/file/proposal", { from: "litellm", text: "model_list: []" }]);
  expect(sent[1]?.[1]).toMatchObject({ file, dry_run: true });
});

test("models of a key are listed, chosen, and imported with that key", async () => {
  answers["POST /operator/file/proposal"] = ({ models }) =>
    (models as string[]).length > 0
      ? proposal
      : { ...proposal, listed: [{ id: "vendor/small", description: null }], has_more: true };
  await userEvent.click(screen.getByLabelText("OpenRouter"));
  const list = screen.getByRole("button", { name: "List models" });
  expect(list.getAttribute("aria-disabled") ?? list.hasAttribute("disabled")).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/Key of OpenRouter/), "sk-1");
  await userEvent.click(list);
  await userEvent.click(await screen.findByLabelText("vendor/small"));
  screen.getByText("More models match: search for other words.");
  await userEvent.click(screen.getByRole("button", { name: "Review 1 model" }));
  await userEvent.click(await screen.findByRole("button", { name: "Import 6 items" }));
  await waitFor(() => expect(sent.at(-1)?.[1]).toMatchObject({ file, keys: { OPENROUTER_API_KEY: "sk-1" } }));
});
