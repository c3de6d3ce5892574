import { FoundServers } from "@/components/operator/providers/found-servers";
import { requestRoute } from "@/lib/server/gateway/request";

/** Scanning the usual ports takes a moment, so the rest of the page does not wait for it. */
export async function FoundServersSection({ guided }: { guided?: boolean }) {
  const found = await requestRoute("GET /operator/local_servers");
  const unused = found.ok ? found.data.data.filter((server) => server.connected_as === null) : [];
  return unused.length > 0 && <FoundServers servers={unused} {...(guided && { guided })} />;
}
