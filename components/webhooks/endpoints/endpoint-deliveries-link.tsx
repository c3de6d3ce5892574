"use client";

import { useParams } from "next/navigation";
import { LinkButton } from "@/components/ui/button";

/**
 * A link to the endpoint's deliveries. The id comes from the address, because not-found pages get no props.
 */
export function EndpointDeliveriesLink() {
  const { id } = useParams<{ id: string }>();
  return <LinkButton href={`/webhooks/deliveries?endpoint_id=${id}`}>View deliveries</LinkButton>;
}
