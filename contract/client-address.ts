/** The header in which the console passes on the browser's address, signed, to the gateway. */
export const clientAddressHeader = "x-gatehouse-client";
