import { clientAddressHeader } from "#contract/client-address.ts";
import { signClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { call, type TestGateway } from "#gateway/testing/gateway.ts";

/** Signs in, and returns the status of the answer. */
export async function signIn(
  gateway: TestGateway,
  email: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return (await call(gateway, null, "POST", "/account/sessions", { email, password }, headers)).status;
}

/** The header in which the console passes on the browser's address. */
export function from(gateway: TestGateway, address: string) {
  const [secret] = gateway.context.config.consoleSecrets;
  return { [clientAddressHeader]: signClientAddress(secret ?? "", address) };
}

/** How many of the answers have this status. */
export function times(statuses: number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}
