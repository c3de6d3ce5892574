import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { Role } from "#contract/accounts/constants.ts";
import { permissionsByRoles, permissionsOfRole } from "#contract/accounts/permissions.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { AccessProvider } from "@/components/team/access";
import { CostEstimate } from "./cost-estimate.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => {} }), usePathname: () => "/" }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const found = createCatalog().operation("svc/img-gen-b", "image-generation");
if (!found) throw new Error("svc/img-gen-b makes no pictures");
const { operation } = found;

/** The addresses that the estimate requests for somebody in this role. */
function askedBy(role: Role) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(String(address));
    return Response.json({ currency: "USD", places: [] });
  });
  const account = { id: "acc_1", role, permissions: [...permissionsOfRole(role)], user: { id: "usr_1" } };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessProvider account={account as unknown as CurrentAccount} permissionsByRoles={permissionsByRoles}>
        <CostEstimate model={{ id: "svc/img-gen-b" }} operation={operation} body={operation.example} />
      </AccessProvider>
    </QueryClientProvider>,
  );
  return asked;
}

it("asks for prices only if the visitor may run operations", async () => {
  const member = askedBy("member");
  await waitFor(() => expect(member.join()).toContain("/prices?"));
  cleanup();
  expect(askedBy("viewer").filter((address) => address.includes("/prices"))).toEqual([]);
});
