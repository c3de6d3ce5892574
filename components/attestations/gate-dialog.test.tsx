import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WordsContext } from "@/components/words/words-provider";
import type { AttestationCode, AttestationDesk } from "@/lib/attestations/gates";
import { act } from "@/lib/gateway/act";
import { type ActionResult, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { loadAttestationDesk } from "@/lib/team/actions";
import { AttestFlow } from "./attest-flow.tsx";
import { GateDialog } from "./gate-dialog.tsx";

vi.mock("@/lib/team/actions", () => ({ loadAttestationDesk: vi.fn() }));
vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));

const person = { id: "usr_1", name: "Ada Byron", email: "ada@example.com" };

const adult = {
  kind: "adult",
  version: "2026-11-01",
  title: "You are an adult",
  statement: "I am at least 18 years old.",
  active: false,
};
const portrait = {
  kind: "portrait_rights",
  version: "2026-11-02",
  title: "The people shown have agreed",
  statement: "Everybody who is shown has agreed.",
  active: false,
};

function desk(user: typeof person | null, statements: object[] = [adult]) {
  return {
    ok: true as const,
    data: {
      account: { user },
      attestations: { data: [], statements },
    } as unknown as AttestationDesk,
  };
}

function open(...codes: AttestationCode[]) {
  const handlers = { onAttested: vi.fn(), onClose: vi.fn() };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <GateDialog
        open
        codes={codes.length > 0 ? codes : ["adult_attestation_required"]}
        model="svc/adult-i2v-1"
        {...handlers}
      />
    </QueryClientProvider>,
  );
  return handlers;
}

function answers<Data>(result: GatewayResult<Data>): () => ActionResult<Data> {
  return async () => ({ answer: Promise.resolve(result) });
}

const recorded = (kind: string, version: string) =>
  ["POST /account/attestations", { body: { kind, statement_version: version, confirmed: true } }] as const;

beforeEach(() => {
  vi.mocked(loadAttestationDesk).mockImplementation(answers(desk(person)));
  vi.mocked(act).mockImplementation(answers({ ok: true, data: {} as never }));
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

it("ticks nothing by itself, shows the record for review, and records only after that", async () => {
  const handlers = open();
  const box = await screen.findByRole<HTMLInputElement>("checkbox");
  const review = screen.getByRole<HTMLButtonElement>("button", { name: "Review" });
  expect([box.checked, review.disabled]).toEqual([false, true]);
  await userEvent.click(box);
  await userEvent.click(review);
  expect(act).not.toHaveBeenCalled();
  expect(screen.getByText("Ada Byron")).toBeTruthy();
  expect(screen.getByText("You are an adult, version 2026-11-01")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Record attestation" }));
  expect(act).toHaveBeenCalledWith(...recorded("adult", "2026-11-01"));
  expect(handlers.onAttested).toHaveBeenCalledTimes(1);
});

it("records all attestations of a model in one go, and continues after one that failed", async () => {
  vi.mocked(loadAttestationDesk).mockImplementation(answers(desk(person, [adult, portrait])));
  const refusal = { ...localFailure("invalid_parameter", "The statement has changed."), status: 400 };
  vi.mocked(act).mockImplementationOnce(answers({ ok: true, data: {} as never }));
  vi.mocked(act).mockImplementationOnce(answers({ ok: false, error: refusal }));
  const handlers = open("adult_attestation_required", "portrait_rights_attestation_required");
  const boxes = await screen.findAllByRole<HTMLInputElement>("checkbox");
  const review = screen.getByRole<HTMLButtonElement>("button", { name: "Review" });
  expect(boxes).toHaveLength(2);
  for (const box of boxes) {
    expect(review.disabled).toBe(true);
    await userEvent.click(box);
  }
  await userEvent.click(review);
  expect(act).not.toHaveBeenCalled();
  const record = screen.getByRole("button", { name: "Record 2 attestations" });
  await userEvent.click(record);
  expect(await screen.findByText(/The statement has changed/)).toBeTruthy();
  expect(handlers.onAttested).not.toHaveBeenCalled();
  await userEvent.click(record);
  expect(vi.mocked(act).mock.calls).toEqual([
    recorded("adult", "2026-11-01"),
    recorded("portrait_rights", "2026-11-02"),
    recorded("portrait_rights", "2026-11-02"),
  ]);
  expect(handlers.onAttested).toHaveBeenCalledTimes(1);
});

it("shows why nothing was recorded and keeps the review open", async () => {
  vi.mocked(act).mockImplementation(
    answers({
      ok: false,
      error: { ...localFailure("invalid_parameter", "The statement has changed."), status: 400 },
    }),
  );
  const told = open();
  await userEvent.click(await screen.findByRole("checkbox"));
  await userEvent.click(screen.getByRole("button", { name: "Review" }));
  await userEvent.click(screen.getByRole("button", { name: "Record attestation" }));
  expect(await screen.findByText(/The statement has changed/)).toBeTruthy();
  expect(told.onAttested).not.toHaveBeenCalled();
});

it("explains to a person signed in with a key that only a person can attest", async () => {
  vi.mocked(loadAttestationDesk).mockImplementation(answers(desk(null)));
  open();
  expect(await screen.findByText(/To attest, sign in with e-mail and password/)).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("returns to the draft when the attestation already exists", async () => {
  vi.mocked(loadAttestationDesk).mockImplementation(answers(desk(person, [{ ...adult, active: true }])));
  const told = open();
  await userEvent.click(await screen.findByRole("button", { name: "Back to form" }));
  expect(told.onAttested).toHaveBeenCalledTimes(1);
  expect(act).not.toHaveBeenCalled();
});

it("stores nothing for the confirmation that each request contains", async () => {
  const told = open("person_rights_confirmation_required");
  expect(screen.getByText(/Your confirmation applies to one run only/)).toBeTruthy();
  expect(screen.queryByRole("checkbox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Back to form" }));
  expect(told.onClose).toHaveBeenCalledTimes(1);
  expect(loadAttestationDesk).not.toHaveBeenCalled();
});

it("shows a statement in the reader's language with the English text, and records that language", async () => {
  const translations = { "zh-CN": { title: "你是成年人", statement: "我已年满 18 周岁。" } };
  vi.mocked(loadAttestationDesk).mockImplementation(answers(desk(person, [{ ...adult, translations }])));
  vi.mocked(act).mockImplementation(answers({ ok: true, data: {} }) as never);
  render(
    <WordsContext value={{ language: "zh-CN", messages: {} }}>
      <QueryClientProvider client={new QueryClient()}>
        <AttestFlow kinds={["adult"]} onAttested={vi.fn()} onClose={vi.fn()} />
      </QueryClientProvider>
    </WordsContext>,
  );
  const user = userEvent.setup();
  expect((await screen.findByText("我已年满 18 周岁。")).lang).toBe("zh-CN");
  expect(screen.getByText(adult.statement).lang).toBe("en");
  await user.click(screen.getByRole("checkbox"));
  await user.click(screen.getByRole("button", { name: "Review" }));
  await user.click(screen.getByRole("button", { name: "Record attestation" }));
  expect(act).toHaveBeenCalledWith("POST /account/attestations", {
    body: { kind: "adult", statement_version: adult.version, confirmed: true, language: "zh-CN" },
  });
});
