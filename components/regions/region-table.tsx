import { Badge } from "@/components/ui/badge";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { StatusPill } from "@/components/ui/status-pill";
import { regionLook } from "@/lib/status/region";
import type { RegionRow } from "./region-rows.ts";

/** Every region: how it is, and what runs there. A row leads to the models of its region. */
export function RegionTable({ rows }: { rows: readonly RegionRow[] }) {
  return (
    <Table label="Regions">
      <thead>
        <tr>
          <Th>Region</Th>
          <Th>Location</Th>
          <Th>Status</Th>
          <Th numeric>Models</Th>
          <Th>Deployments</Th>
          <Th from="desktop">Operations</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const look = regionLook(row.status);
          return (
            <Tr key={row.id}>
              <Td>
                <RowLink href={`/catalog?region=${row.id}`} className="font-mono whitespace-nowrap">
                  {row.id}
                </RowLink>
              </Td>
              <Td className="whitespace-nowrap" label="Location">
                {row.name}
              </Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
              <Td numeric label="Models">
                {row.model_count}
              </Td>
              <Td className="tabular whitespace-nowrap" label="Deployments">
                {deploymentWords(row)}
              </Td>
              <Td from="desktop" label="Operations">
                <RowControls className="flex-wrap">
                  {row.api_types.map((apiType) => (
                    <Link
                      key={apiType}
                      href={`/catalog?region=${row.id}&api_type=${apiType}`}
                      className="rounded-[6px] hover:underline"
                    >
                      <Badge>{apiType}</Badge>
                    </Link>
                  ))}
                </RowControls>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function deploymentWords({ deployments, troubled }: RegionRow): string {
  if (deployments === null) return "–";
  if (troubled.length === 0)
    return deployments === 0 ? "none" : deployments === 1 ? "1 healthy" : `all ${deployments} healthy`;
  return `${deployments - troubled.length} of ${deployments} healthy`;
}
