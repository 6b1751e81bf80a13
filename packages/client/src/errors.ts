/** A refused or failed call. The message is the sentence of the server. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError'
  readonly status: number
  /** For the log of the server, if the call reached the server. */
  readonly requestId: string | null

  constructor(message: string, { status, headers }: Response) {
    super(message)
    this.status = status
    this.requestId = headers.get('x-request-id')
  }
}

/** The body of a refusal: a sentence, or the invalid fields. */
type ErrorBody = { detail: string | { loc: (string | number)[]; msg: string }[] }

/** The error of a refusal, from the parsed body of the answer: "name: A token needs a name." for an invalid field. */
export function errorOf(body: unknown, response: Response): SwitchboardError {
  // A proxy answers with its own page, whose status says enough.
  if (!isErrorBody(body)) return new SwitchboardError(`${response.status} ${response.statusText}`.trim(), response)
  const { detail } = body
  if (typeof detail === 'string') return new SwitchboardError(detail, response)
  return new SwitchboardError(detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join(' '), response)
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'detail' in body
}
