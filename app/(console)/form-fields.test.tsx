import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { SetupCreate } from "#contract/accounts/account.ts";
import { ApiKeyCreate } from "#contract/accounts/keys.ts";
import { ProvidersFileImport } from "#contract/operator/file.ts";
import {
  KeyRules,
  NewCredential,
  type OperatorProvider,
  ProviderCreate,
  type ProviderPreset,
} from "#contract/operator/providers.ts";
import { RouteMapAll } from "#contract/operator/routes.ts";
import { SetupForm } from "@/components/auth/setup-form";
import { CreateKeyDialog } from "@/components/keys/create-key-dialog";
import { ImportDialog } from "@/components/operator/file/import-dialog";
import { ProviderForm } from "@/components/operator/providers/provider-form";
import { MapAllDialog } from "@/components/operator/routes/map-all-dialog";
import { ToastProvider } from "@/components/ui/toast";
import { RouteClient } from "./operator/mapping/route-client.tsx";
import { ProviderDialogs } from "./operator/providers/[id]/provider-dialogs.tsx";

const { act, saved } = vi.hoisted(() => ({ act: vi.fn(), saved: vi.fn() }));
vi.mock("@/lib/gateway/act", () => ({ act, changeConfiguration: saved }));
vi.mock("@/lib/operator/actions", () => ({ saveRoute: saved }));
vi.mock("@/lib/gateway/secret-actions", () => ({ addKey: vi.fn() }));
vi.mock("next/navigation", () => ({
  usePathname: () => "/",
  useRouter: () => ({ push() {}, refresh() {} }),
  unstable_rethrow() {},
}));
HTMLElement.prototype.togglePopover ??= () => true;
afterEach(cleanup);

/** The rule of a text, from the schema of the request that contains it. */
interface TextSchema {
  type?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

interface Case {
  form: ReactNode;
  /** What a person does before the fields are there. */
  before?: () => Promise<void>;
  /** The schema of each field, by the beginning of its label. */
  fields: Record<string, TextSchema>;
  /** Fields that the form lets people leave empty. */
  optional?: string[];
}

const provider = {
  protocol: "openai",
  id: "prov_1",
  name: "acme",
  base_url: "https://api.example.com/v1",
  credentials: [{ region: "eu-frankfurt", has_key: false, keys: [], ref: null }],
  settings: {},
} as unknown as OperatorProvider;
const models = [{ id: "svc/chat-1", apiTypes: ["chat-completions"], fieldNames: [] }] as never;
const preset = { id: "other", base_urls: {}, needs_key: true, key_url: null } as unknown as ProviderPreset;
const address = texts(ProviderCreate.properties.base_url)[0] as TextSchema;
const key = NewCredential.anyOf[0].properties.key;

const cases: Record<string, Case> = {
  "Create key": {
    form: <CreateKeyDialog modelIds={[]} onCreated={vi.fn()} onClose={vi.fn()} />,
    fields: { Name: ApiKeyCreate.properties.name },
  },
  "Replace the key, by a key": {
    form: <ProviderDialogs open="key" provider={provider} onClose={vi.fn()} />,
    fields: { "API key": key },
  },
  "Replace the key, by a reference": {
    form: <ProviderDialogs open="key" provider={provider} onClose={vi.fn()} />,
    before: () => userEvent.click(screen.getByRole("radio", { name: "Read from a variable or file" })),
    fields: { "Where the key is stored": NewCredential.anyOf[1].properties.ref },
  },
  "Keys of a provider": {
    form: <ProviderDialogs open="keys" provider={provider} onClose={vi.fn()} />,
    fields: { Name: KeyRules.properties.name, "API key": key },
  },
  "Edit a provider": {
    form: <ProviderDialogs open="edit" provider={provider} onClose={vi.fn()} />,
    fields: { Address: address },
    optional: ["Address"],
  },
  "Add a provider": {
    form: <ProviderForm preset={preset} homeRegion="eu-frankfurt" neededRegions={[]} takenNames={[]} />,
    fields: { "API key": key, Address: address },
  },
  "Map all models": {
    form: <MapAllDialog providers={[]} onClose={vi.fn()} />,
    fields: { "Provider's model": RouteMapAll.properties.upstream_model },
  },
  "Import a file": {
    form: <ImportDialog onClose={vi.fn()} />,
    before: async () => {
      const preview = {
        ...{ created: ["acme"], kept: [], models: [], models_kept: [], routes: 0, routes_kept: 0 },
        ...{ aliases: [], aliases_kept: [], prices: 0, prices_kept: 0 },
        missing_keys: [{ name: "ACME_KEY", provider: "acme", region: "eu-frankfurt" }],
        ...{ problems: [], notes: [] },
      };
      act.mockResolvedValue({ answer: Promise.resolve({ ok: true, data: preview }) });
      const input = document.querySelector<HTMLInputElement>("input[type=file]");
      if (input)
        await userEvent.upload(input, new File(["{}"], "providers.json", { type: "application/json" }));
      await screen.findByLabelText(/^Key for/);
    },
    fields: { "Key for": texts(ProvidersFileImport.properties.keys)[0] as TextSchema },
  },
  "Set up": {
    form: <SetupForm setUp={vi.fn()} />,
    fields: {
      "Set-up token": SetupCreate.properties.setup_token,
      "Your name": SetupCreate.properties.name,
      "E-mail": SetupCreate.properties.email,
      Password: SetupCreate.properties.password,
    },
  },
};

test.each(Object.entries(cases))(
  "%s: its fields are as long and as required as the contract says",
  async (_, each) => {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ToastProvider>{each.form}</ToastProvider>
      </QueryClientProvider>,
    );
    await each.before?.();
    for (const [label, schema] of Object.entries(each.fields)) {
      const field = screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}( \\*|$| [A-Z]+_KEY)`));
      const required = !each.optional?.includes(label) && !accepts(schema, "");
      expect.soft([label, field.required, field.maxLength]).toEqual([label, required, schema.maxLength]);
    }
  },
);

test("numbers of routes and time-outs of providers are refused at their field, and nothing is sent", async () => {
  const forms: [ReactNode, string, readonly string[]][] = [
    [
      <RouteClient
        key="route"
        id={null}
        revision={1}
        initial={{ priority: 1 }}
        models={models}
        providers={[provider]}
      />,
      "Add route",
      ["Order", "Share", "Longest wait when the provider is busy, in milliseconds"],
    ],
    [
      <ProviderDialogs key="edit" open="edit" provider={provider} onClose={vi.fn()} />,
      "Save changes",
      ["First token, if another route is available", "Connecting"],
    ],
  ];
  for (const [form, submit, labels] of forms) {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ToastProvider>{form}</ToastProvider>
      </QueryClientProvider>,
    );
    for (const label of labels) {
      const field = screen.getByLabelText<HTMLInputElement>(label);
      await userEvent.clear(field);
      await userEvent.type(field, "soon");
    }
    await userEvent.click(screen.getByRole("button", { name: submit }));
    expect(await screen.findAllByText(/^Enter a whole number from/)).toHaveLength(labels.length);
    cleanup();
  }
  expect(saved).not.toHaveBeenCalled();
});

function accepts({ minLength = 0, pattern = "" }: TextSchema, text: string): boolean {
  return text.length >= minLength && new RegExp(pattern).test(text);
}

/** The texts within a schema, outermost first. */
function texts(schema: unknown): TextSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("type" in schema && schema.type === "string") return [schema];
  return Object.values(schema).flatMap(texts);
}
