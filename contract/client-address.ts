/** The signed header in which the console passes the browser's IP address to the gateway. */
export const clientAddressHeader = "x-gatehouse-client";
