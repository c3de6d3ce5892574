"use client";

import { useParams } from "next/navigation";
import { LinkButton } from "@/components/ui/button";

/** To the log of the endpoint that the address names; a not-found page is told nothing but its address. */
export function EndpointDeliveriesLink() {
  const { id } = useParams<{ id: string }>();
  return <LinkButton href={`/webhooks/deliveries?endpoint_id=${id}`}>See its deliveries</LinkButton>;
}
