/**
 * Kubernetes and container links set variables in every container near a service, named after the service. These are
 * the patterns of their names, and of the values that distinguish them from settings.
 */
const LINKS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/_SERVICE_(HOST$|PORT(_|$))/, /^/],
  [/_PORT(_\d+_(TCP|UDP|SCTP))?$/, /^(tcp|udp|sctp):\/\//],
  [/_PORT_\d+_(TCP|UDP|SCTP)_(ADDR|PROTO|(PORT_)?(START|END)|PORT)$/, /^/],
  [/_NAME$/, /^\/\S+\/[\w.-]+$/],
  [/_ENV_\w/, /^/],
]

/**
 * The environment without these variables, and a warning for each of them that has the name of one of `settings`. For
 * example, a service named `ai` sets `AI_PORT=tcp://10.0.0.1:3001` if AI_PORT is not set.
 */
export function withoutServiceLinks(
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
): { env: NodeJS.ProcessEnv; warnings: string[] } {
  const isLink = ([name, value = '']: [string, string | undefined]) =>
    LINKS.some(([names, values]) => names.test(name) && values.test(value))
  const links = Object.entries(env).filter(isLink)
  const own = Object.entries(env).filter((entry) => !isLink(entry))
  const warnings = links
    .filter(([name]) => settings.includes(name))
    .map(
      ([name, value]) =>
        `${name} is "${value}", as Kubernetes and container links set it for a service named ${serviceOf(name)}, and is ignored. Set enableServiceLinks: false for the pod, or set ${name} yourself.`,
    )
  return { env: Object.fromEntries(own), warnings }
}

function serviceOf(variable: string): string {
  return variable
    .replace(/_[A-Z]+$/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}
