import type { OperatorRoute } from "#contract/operator/routes.ts";
import { Badge } from "@/components/ui/badge";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ManagedByFile } from "../managed-by-file.tsx";
import { RemoveRouteButton } from "./remove-route-button.tsx";

const shownModels = 3;

export function RoutesTable({ routes, revision }: { routes: readonly OperatorRoute[]; revision: number }) {
  return (
    <Table label="Routes">
      <thead>
        <tr>
          <Th>Models</Th>
          <Th>Run at</Th>
          <Th numeric>Order</Th>
          <Th numeric>Share</Th>
          <Th from="desktop">Regions</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {routes.map((route) => (
          <RouteRow key={route.id} route={route} revision={revision} />
        ))}
      </tbody>
    </Table>
  );
}

function RouteRow({ route, revision }: { route: OperatorRoute; revision: number }) {
  const { id, models, provider, upstream_model, priority, weight, regions, problem, serves, overruled } =
    route;
  const more = models.length - shownModels;
  return (
    <Tr>
      <Td className="max-w-80">
        <RowLink href={`/operator/routes/${encodeURIComponent(id)}`} className="block wrap-anywhere">
          {models.slice(0, shownModels).join(", ")}
          {more > 0 && ` and ${more} more`}
        </RowLink>
        <span className="flex flex-wrap gap-1.5">
          {route.managed_by === "file" && <ManagedByFile />}
          {problem && (
            <Badge tone="bad" title={problem}>
              {serves.length === 0 ? "Serves nothing" : "Has a problem"}
            </Badge>
          )}
          {overruled.length > 0 && (
            <Badge
              tone="warn"
              title="For some of its operations the providers file has another route, which is used"
            >
              The file is used for {overruled.length}
            </Badge>
          )}
        </span>
        {problem && <span className="block text-meta text-bad wrap-anywhere">{problem}</span>}
      </Td>
      <Td className="max-w-72">
        <span className="block wrap-anywhere">{provider}</span>
        <span className="block font-mono text-meta text-muted wrap-anywhere">{upstream_model}</span>
      </Td>
      <Td numeric label="Order">
        {priority}
      </Td>
      <Td numeric label="Share">
        {weight ?? "–"}
      </Td>
      <Td className="text-meta text-muted" from="desktop" label="Regions">
        {regions?.join(", ") ?? "all of the provider"}
      </Td>
      <Td className="text-right">
        {route.managed_by === "console" && (
          <RowControls>
            <RemoveRouteButton id={id} what={`${upstream_model} at ${provider}`} revision={revision} />
          </RowControls>
        )}
      </Td>
    </Tr>
  );
}
