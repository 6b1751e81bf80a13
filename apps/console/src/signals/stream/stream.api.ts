import {
  type StreamedEntry,
  streamEnd,
  streamEvents,
  streamedEntry,
  streamMoved,
} from '@switchboard/contract/signals/stream'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { callFile } from '#src/lib/call.ts'
import { noteChangeByOthers } from '#src/lib/changes-by-others.ts'
import { isOwnRequest } from '#src/lib/own-requests.ts'
import { setAway, setFollowing } from '#src/lib/query-client.ts'
import { firstUnsaved } from '#src/lib/navigation/unsaved.ts'
import { currentSession, reloadAdmin } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'
import { textId } from '#src/prompts/prompt-labels.ts'
import { isAway, isPresent, onPresenceChange } from './presence.ts'
import { createRefresher } from './refresher.ts'
import { ALL_TOUCHED, touchedBy, touchedByMoves } from './touched-queries.ts'

/** The server sends a comment every 15 seconds, so that a silent connection is a broken one. */
const SILENCE_MAX_MS = 40_000
/** Wait before the next stream until the server names one, in milliseconds. It doubles with each failure in a row. */
const RETRY_MS = 2_000
const DOUBLINGS_MAX = 5
/** An entry may arrive before the answer to the request that wrote it. */
const ANSWER_MS = 200

/**
 * Follows the changes of others while someone may look at the tab: shown data moves, and open forms learn who changed their
 * record. Without the stream, the console works as it does without others. Returns a function that ends it.
 */
export function followChanges(): () => void {
  const stopping = new AbortController()
  void follow(stopping.signal)
  return () => stopping.abort()
}

async function follow(signal: AbortSignal): Promise<void> {
  const { touch } = createRefresher(signal)
  let position: number | undefined
  let retryMs = RETRY_MS
  let failures = 0
  let isFollowing = false
  let usedToken: string | null = null
  let endedToken: string | null = null
  let connection = new AbortController()
  let wake: () => void = () => undefined
  onPresenceChange(() => {
    setAway(isAway())
    if (isPresent()) wake()
    else connection.abort()
  }, signal)
  signal.addEventListener('abort', () => {
    connection.abort()
    wake()
  })
  // A click into the window beside another one: figures that no entry tells of, such as calls, move too.
  window.addEventListener('focus', () => isFollowing && touch(ALL_TOUCHED), { signal })

  function take({ event, data }: EventSourceMessage): void {
    if (event === 'open') return setLive(true)
    failures = 0
    if (event === 'moved') touch(touchedByMoves(streamMoved.safeParse(JSON.parse(data)).data?.kinds ?? []))
    else if (event === 'end') {
      const reason = streamEnd.safeParse(JSON.parse(data)).data?.reason
      if (reason === 'role_changed') void reloadAdmin()
      if (reason === 'session_ended') leave()
    } else {
      const entry = event === 'entry' ? streamedEntry.safeParse(JSON.parse(data)).data : undefined
      setTimeout(() => (entry === undefined ? touch(ALL_TOUCHED) : tell(entry)), ANSWER_MS)
    }
  }

  /** Leaves the screen of an ended session, unless it has unsaved changes: they stay until a call is refused, as without stream. */
  function leave(): void {
    endedToken = usedToken
    // A new password of this tab has already replaced the token.
    if (storedToken.get() === usedToken && firstUnsaved() === undefined) void reloadAdmin()
  }

  function tell(entry: StreamedEntry): void {
    if (signal.aborted || isOwnRequest(entry.request_id)) return
    touch(touchedBy(entry))
    const { outcome, actor_id, actor_name, actor_email, version, at } = entry
    const id = changedId(entry)
    if (id === null || outcome !== 'done') return
    const session = currentSession()
    const isOwnAccount = session.kind === 'authenticated' && session.admin.id === actor_id
    noteChangeByOthers({ id, version, by: actor_id === null ? null : (actor_name ?? actor_email), isOwnAccount, at })
  }

  function setLive(isLive: boolean): void {
    isFollowing = isLive
    setFollowing(isLive)
  }

  async function read(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const noteLife = () => {
      clearTimeout(timer)
      timer = setTimeout(() => connection.abort(), SILENCE_MAX_MS)
    }
    const answer = await callFile(streamEvents, {
      query: { after: position },
      signal: connection.signal,
      isOptional: true,
    })
    const parser = new EventSourceParserStream({
      onId: (id) => (position = Number(id)),
      onRetry: (ms) => (retryMs = ms),
      onComment: () => {
        failures = 0
        noteLife()
      },
    })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader()
    try {
      noteLife()
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        noteLife()
        take(part.value)
      }
    } finally {
      clearTimeout(timer)
      setLive(false)
    }
  }

  const untilWoken = (ms?: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      if (ms !== undefined) setTimeout(resolve, ms)
    })

  while (!signal.aborted) {
    if (!isPresent() || (endedToken !== null && storedToken.get() === endedToken)) {
      await untilWoken()
      continue
    }
    connection = new AbortController()
    usedToken = storedToken.get()
    // Until something other than the opening arrives: a proxy may end each stream at once.
    failures += 1
    try {
      await read()
    } catch (error) {
      if (!connection.signal.aborted) console.warn('The changes of others cannot be followed at the moment.', error)
    } finally {
      connection.abort()
    }
    // The jitter keeps all consoles from returning to a restarted server at the same moment.
    if (isPresent()) await untilWoken(retryMs * 2 ** Math.min(failures, DOUBLINGS_MAX) * (0.5 + Math.random()))
  }
}

/** The id under which an open form learns of a change. */
function changedId({ target_type, target_id, tenant_id }: StreamedEntry): string | null {
  if (target_type !== 'prompt' && target_type !== 'addendum') return target_id
  return textId(target_type === 'prompt' ? null : tenant_id)
}
