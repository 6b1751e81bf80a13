/**
 * Whether a text is an http or https address to which something can be sent, before the network of its host is checked. `URL`
 * keeps the # of an empty fragment. Nothing can listen at port 0.
 */
export function isOutboundUrl(typed: string): boolean {
  const url = URL.parse(typed)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    !url.href.includes('#') &&
    url.port !== '0'
  )
}
