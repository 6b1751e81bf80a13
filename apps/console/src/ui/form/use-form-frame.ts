import { type FormErrors, useForm } from '@mantine/form'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { type ChangeByOthers, useChangeByOthers } from '#src/lib/changes-by-others.ts'
import { CallError, fieldErrors, messageOf } from '#src/lib/call-error.ts'

const SESSION_ENDED = 'Nothing was saved, because your session had ended. Save again.'

/** A sentence about the form as a whole: a `problem` with the entry, an answer of the server, or a success. */
export type FormMessage = { kind: 'none' } | { kind: 'problem' | 'failed' | 'done'; text: ReactNode }
const NO_MESSAGE: FormMessage = { kind: 'none' }

type Versioned = { version: number }

type Options<Values, Saved, Saves extends Versioned, Stale extends { current: Saves }> = {
  initialValues: Values
  /** Checks the values before anything is sent. The key '' holds a sentence about the form as a whole. */
  validate?: (values: Values) => FormErrors
  /** The saved record that the form changes. A newer one in a later rendering is not known to the form. */
  record?: Saves
  /** Its id, and its noun: "tenant". */
  about?: { id: string; noun: string }
  /** Schema of a 412 body. Its `current` is the record as someone else saved it. */
  stale?: z.ZodMiniType<Stale>
  /** Saves the values over `latest`: the record that the form began with, or the one of the last resolved conflict. */
  send: (values: Values, latest: Saves | undefined) => Promise<Saved>
  /** Inputs with another name than their field: `{ tenant_id: 'tenant' }`. */
  inputs?: Record<string, keyof Values & string>
  /** Field errors of other statuses than 422. */
  errorsOf?: (error: unknown) => FormErrors
  /** The form stays busy until a returned promise settles, such as that of a navigation to the next page. */
  onSaved?: (saved: Saved) => unknown
  /** The message of a failure for which the server gives no sentence. */
  failure: string
}

/** Props of an input whose `onChange` takes the value itself. */
export type Control<Value> = {
  value: Value
  error?: ReactNode
  disabled: boolean
  onChange: (value: Value) => void
}

/** The part of a form that `Form`, `DialogForm` and `PageForm` use. */
export type FormFrame = {
  message: FormMessage
  setMessage: (message: FormMessage) => void
  /** Number of finished attempts to send the form. */
  attempts: number
  submitting: boolean
  /** Like `submitting`, but already false in `onSaved`, which may leave the page. */
  isSending: () => boolean
  submit: (event?: SubmitEvent<HTMLFormElement>) => void
  isDirty: () => boolean
  /** The 412 until the admin chooses a version: nothing can be sent before. */
  conflict: object | null
  about?: { id: string; noun: string } | undefined
  /** The last change of the record by others since the form began with it. */
  changedByOthers?: ChangeByOthers | undefined
}

/**
 * State of a form: values and errors (@mantine/form), one save at a time, the server's errors beside their inputs or in
 * `message`, the focus on the first invalid input, and the conflict of a 412.
 */
export function useFormFrame<
  Values extends object,
  Saved,
  Saves extends Versioned = never,
  Stale extends { current: Saves } = never,
>(options: Options<Values, Saved, Saves, Stale>) {
  const element = useRef<HTMLFormElement | null>(null)
  const pressed = useRef<Element | null>(null)
  const sending = useRef(false)
  const [message, setMessage] = useState<FormMessage>(NO_MESSAGE)
  const [attempts, setAttempts] = useState(0)
  const [conflict, setConflict] = useState<Stale | null>(null)
  const [latest, setLatest] = useState<Saves | undefined>(options.record)
  const change = useChangeByOthers(options.about?.id, latest?.version)
  const form = useForm<Values>({
    initialValues: options.initialValues,
    validate: options.validate ?? (() => ({})),
    onValuesChange: () => setMessage(NO_MESSAGE),
    enhanceGetInputProps: ({ form: { submitting } }) => ({ disabled: submitting }),
  })

  useEffect(() => {
    if (form.submitting || attempts === 0) return
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // The disabled button or input lost the focus during the save.
    const lost = document.activeElement === document.body ? pressed.current : null
    if (invalid) invalid.focus()
    else if (lost instanceof HTMLElement) lost.focus({ preventScroll: true })
  }, [attempts, form.submitting])

  function submit(event?: SubmitEvent<HTMLFormElement>, over = latest) {
    event?.preventDefault()
    if (form.submitting) return
    if (event) element.current = event.currentTarget
    pressed.current = document.activeElement
    form.onSubmit(
      (values) => save(values, over),
      (errors) => refuse('problem', errors['']),
    )(event)
  }

  async function save(values: Values, over: Saves | undefined) {
    setMessage(NO_MESSAGE)
    setConflict(null)
    let saved: Saved
    sending.current = true
    try {
      saved = await options.send(values, over)
    } catch (error) {
      return fail(error)
    } finally {
      sending.current = false
    }
    form.resetDirty()
    setAttempts((count) => count + 1)
    await options.onSaved?.(saved)
  }

  function fail(error: unknown) {
    if (error instanceof CallError && error.status === 412) {
      const stale = options.stale?.safeParse(error.body).data
      if (stale !== undefined) return setConflict(stale)
    }
    const errors = options.errorsOf?.(error) ?? {}
    const others: string[] = []
    for (const [path, text] of Object.entries(fieldErrors(error))) {
      const [field = ''] = path.split('.')
      const name = options.inputs?.[field] ?? field
      if (name in form.values) errors[name] ??= text
      else others.push(`${path}: ${text}`)
    }
    form.setErrors(errors)
    if (others.length > 0) refuse('failed', others.join(', '))
    else if (Object.keys(errors).length > 0) refuse('failed', undefined)
    else if (error instanceof CallError && error.status === 401) refuse('failed', SESSION_ENDED)
    else refuse('failed', messageOf(error, options.failure))
  }

  function refuse(kind: 'problem' | 'failed', text: ReactNode) {
    setMessage(text === undefined ? NO_MESSAGE : { kind, text })
    setAttempts((count) => count + 1)
  }

  /** Replaces the values by saved ones. */
  function load(values: Values) {
    form.setValues(values)
    form.resetDirty(values)
  }

  return {
    ...form,
    isDirty: () => form.isDirty(),
    isSending: () => sending.current,
    message,
    setMessage,
    attempts,
    submit: (event?: SubmitEvent<HTMLFormElement>) => submit(event),
    /** The props of an input whose `onChange` takes the value, with the type of the value. */
    control: <Name extends keyof Values & string>(name: Name): Control<Values[Name]> => ({
      value: form.values[name],
      error: form.errors[name],
      disabled: form.submitting,
      onChange: form.getInputProps(name).onChange,
    }),
    load,
    conflict,
    about: options.about,
    // A conflict tells more of the same change.
    changedByOthers: conflict === null ? change : undefined,
    /** The record that the form began with, or as the last resolved conflict showed it. */
    latest,
    /** Keeps the values of the form. The next save overwrites the current record. */
    rebase: () => {
      setLatest(conflict?.current)
      setConflict(null)
    },
    /** Saves the values of the form over the current record. */
    keepMine: () => {
      setLatest(conflict?.current)
      submit(undefined, conflict?.current)
    },
    /** Drops the values of the form for those of the current record. */
    takeTheirs: (values: Values) => {
      setLatest(conflict?.current)
      setConflict(null)
      load(values)
    },
  }
}
