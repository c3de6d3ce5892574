import { headOf, page, titleOf } from "@/app/console-page";
import { getModels } from "@/lib/server/gateway/reads";
import { RulesClient } from "./client.tsx";

const head = headOf({ title: "keyRules", parts: ["keys", "amounts"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ requestRoute }) => {
  const [rules, keys, models] = await Promise.all([
    requestRoute("GET /key_rules"),
    requestRoute("GET /keys", { query: { kind: "service", limit: 100 } }),
    getModels(),
  ]);
  const usable = keys.ok ? keys.data.data.filter(({ revoked_at }) => revoked_at === null) : [];
  return (
    <RulesClient
      rules={rules}
      serviceKeys={usable.map(({ id, name }) => ({ id, name }))}
      modelIds={models.ok ? models.data.data.map(({ id }) => id) : []}
    />
  );
});
