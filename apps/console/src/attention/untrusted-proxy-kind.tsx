import type { UntrustedProxy } from '@switchboard/contract/dashboard'
import { IconNetworkOff } from '@tabler/icons-react'
import css from './attention-panel.module.css'

/** A proxy not trusted by the servers, with advice on the setting. Rendered only for an existing proxy. */
export function UntrustedProxyKind({ proxy }: { proxy: UntrustedProxy }) {
  return (
    <li className={css.kind}>
      <IconNetworkOff size={18} aria-hidden className={css.bad} />
      <div className={css.title}>Visitors share one address</div>
      <p className={css.sentence}>{proxy.advice}</p>
    </li>
  )
}
