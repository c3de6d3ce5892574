import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import { headOf, listPage, titleOf } from "@/app/console-page";
import { requestList } from "@/lib/request-list";
import { getKeyNames, getMemberNames, getModels } from "@/lib/server/gateway/reads";
import { RequestsClient } from "./client.tsx";

const head = headOf({ title: "requests", parts: ["requests", "charts", "amounts"] });

export const generateMetadata = titleOf(head);

/** Error codes by error type. */
const errorCodes: Record<string, string[]> = {
  ...Object.groupBy(Object.keys(errorCatalogue) as ErrorCode[], (code) => errorCatalogue[code].type),
};

export default listPage({ ...head, list: requestList }, async ({ query, requestRoute }) => {
  const [requests, keyNames, memberNames, models] = await Promise.all([
    requestRoute("GET /requests", { query }),
    getKeyNames(),
    getMemberNames(),
    getModels(),
  ]);
  const modelIds = models.ok ? models.data.data.map((each) => each.id) : [];
  return (
    <RequestsClient
      requests={requests}
      keyNames={keyNames}
      memberNames={memberNames}
      modelIds={modelIds}
      errorCodes={errorCodes}
    />
  );
});
