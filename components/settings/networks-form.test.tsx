import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { NetworksForm } from "./networks-form.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: vi.fn() }),
  useParams: () => ({}),
  usePathname: () => "/settings",
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(cleanup);

const networks = {
  ...{ object: "account.networks" as const, address: "198.51.100.1" },
  ...{ sign_in: null, keys: ["203.0.113.0/24"] },
};
const failed = (code: string, message: string, param: string) => ({
  ok: false as const,
  error: { code, message, param, status: 400, details: [], requestId: null },
});

it("saves a list per line, and asks an owner who would lock themselves out", async () => {
  vi.mocked(act).mockImplementation(async (_route, call) => {
    const { body } = call as unknown as { body: { sign_in: string[] | null; confirmed?: boolean } };
    const answer =
      body.sign_in?.[0] === "office"
        ? failed("invalid_parameter", "sign_in[0] is no network.", "sign_in[0]")
        : body.sign_in && !body.confirmed
          ? failed("own_address_outside", "You would lock yourself out.", "sign_in")
          : { ok: true as const, data: {} as never };
    return { answer: Promise.resolve(answer as never) };
  });
  const sent = () => vi.mocked(act).mock.calls.map(([, call]) => (call as unknown as { body: unknown }).body);
  render(
    <ToastProvider>
      <NetworksForm networks={networks} />
    </ToastProvider>,
  );
  screen.getByText("198.51.100.1");
  const people = screen.getByRole("textbox", { name: "People sign in from" });
  const save = () => userEvent.click(screen.getByRole("button", { name: "Save networks" }));
  await userEvent.type(people, "office");
  await save();
  await screen.findByText("sign_in[0] is no network.");
  expect(people.getAttribute("aria-invalid")).toBe("true");

  await userEvent.clear(people);
  await userEvent.type(people, "10.0.0.0/8\n2001:db8::/32");
  await save();
  const body = { sign_in: ["10.0.0.0/8", "2001:db8::/32"], keys: ["203.0.113.0/24"] };
  await userEvent.click(await screen.findByRole("button", { name: "Save and lock me out" }));
  expect(sent().slice(1)).toEqual([body, { ...body, confirmed: true }]);
});
