import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// STYLE 11: shared folders know no feature, and a feature imports only the public face of another feature.

const root = path.resolve(import.meta.dirname, '../..')

/** Folders below `src` that features share. */
const SHARED = ['ui', 'lib', 'lists', 'styles', 'testing']
const CONSOLE_FACE = /\.api\.ts$|-(dialog|select)\.tsx$|-labels\.ts$/
const SERVER_FACE = /\.service\.ts$/

/** Further files that other folders may import, each with its reason. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  console: {
    'account/session-item.tsx': 'The sessions of a member of the team look like those of your account.',
    'attention/attention-panel.tsx': 'A section of the dashboard and of the tenant page.',
    'first-steps/first-steps-section.tsx': 'A section of the dashboard.',
    'trends/trends-section.tsx': 'A section of the dashboard.',
    'key-diagnosis/calls-chart.tsx': 'The overview of a tenant shows the calls of all its keys.',
    'runs/task-runs.tsx': 'A section of the task page.',
    'reviews/task-reviews.tsx': 'A section of the task page.',
    'reviews/rating-history.tsx': 'A section of the tenant page and of the task page.',
    'prompt-versions/prompt-history.tsx': 'A section of the template page and of the tab Prompt.',
    'places/place-field.tsx': 'A form field, with the place dialog behind it.',
    'places/place-field.module.css': 'The error of the place field has a link.',
    'key-settings/test-badge.tsx': 'Marks a test key in dialogs and in the drawer.',
    'origins/origins-field.tsx': 'A form field of API keys.',
    'key-settings/expiry-field.tsx': 'A form field: a rotation creates a key too.',
    'google-forecast/google-forecast.tsx': 'A line of the list of tasks.',
    'places/sample-maps-notice.tsx': 'The task screens show places.',
    'activity/use-history-action.ts': 'The row action of every list that opens the activity of the record.',
    'task-schedule/frequency-field.tsx': 'A field of the forms of a task.',
    'task-schedule/time-fields.tsx': 'Fields of the forms of a task.',
    'task-schedule/next-times.tsx': 'The page of a task shows the next runs.',
    'tenant-status/tenant-inactive-chip.tsx': 'The screens of users, API keys and tasks mark an inactive tenant.',
    'invitations/invitations-section.tsx': 'A section of the team page.',
    'email-changes/pending-email.tsx': 'A notice in the form of your account.',
    'team/ending-access.tsx': 'The deletion of a person of the console in Users ends the same access.',
    'auth/second-step.tsx': 'The second step of a sign-in also confirms a session.',
    'auth/new-password-field.tsx': 'A form field: a person gets a first password, or changes it.',
    'tenant-notes/tenant-notes-card.tsx': 'A section of the tenant page.',
    'sign-ins/sign-ins-card.tsx': 'A section of your account.',
    'second-factors/enrollment-page.tsx': 'In place of every page while a second factor is required.',
    'layout/navigation.ts': 'The palette offers the screens of the sidebar.',
  },
  'admin-api': {
    'activity/activity.queries.ts':
      'The palette searches the audit log as its list does, and a tenant shows its number of rows.',
    'attention/attention.queries.ts': 'The attention filters of the lists are the conditions of the dashboard.',
    'attention/key-state.queries.ts': 'The state of a key is a filter, a sort order and a count of tenants.',
    'reviews/review-list.queries.ts': 'A tenant shows the number of its reviews.',
    'tasks/task-state.queries.ts': 'The dashboard counts the states that the list of tasks filters by.',
    'auth/authenticate.ts': 'Routes read the signed-in user of a request there.',
    'auth/open-session.ts': 'Every verified sign-in opens its session there.',
    'auth/access-token.ts': 'The hash of a token, by which sessions are found, and random text of secrets.',
    'auth/sign-in.queries.ts': 'A password change checks and stores the hash in its own transaction.',
    'sessions/sessions.queries.ts': 'Sessions begin and end in the transaction of the sign-in or the change.',
    'sessions/sessions.service.ts': 'Lists check the session of the actor between batches.',
    'sessions/roles.service.ts': 'Bulk calls check the role for each action.',
    'confirmation/confirmation.service.ts': 'Bulk calls check the confirmation for each action.',
    'refusals/refusals.service.ts': 'Bulk calls audit each refusal.',
    'deletions/deletions.queries.ts': 'Users, keys and tasks are moved in the transactions of their deletions.',
    'metrics/figures.queries.ts': 'The System page shows the waiting work of the metrics.',
    'users/users.queries.ts': 'A member of the team is a user: the team changes the same rows in its own transactions.',
  },
  worker: {
    'runs/retry-delay.ts': 'A mail is repeated with the backoff of a run.',
    'reviews/reviews.queries.ts': 'A run stores its reviews in its own transaction.',
  },
}

type Import = { app: string; from: string; to: string }

/** Every `#src/…` import between two folders of one app. */
function importsOf(app: string): Import[] {
  const src = `apps/${app}/src`
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', src], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8')
    const from = path.relative(src, file)
    return [...source.matchAll(/(?:from|import\() ?'#src\/([^']+)'/g)]
      .map(([, to = '']) => ({ app, from, to }))
      .filter(({ to }) => folderOf(from) !== folderOf(to))
  })
}

/** The first folder below `src`, or '' for the files that compose the app: main.ts, app.ts, router.tsx. */
function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : ''
}

const isException = (app: string, file: string) => EXCEPTIONS[app]?.[file] !== undefined
const isShared = (file: string) => SHARED.includes(folderOf(file))
const isFeature = (file: string) => folderOf(file) !== '' && !isShared(file)

const FACES = { console: CONSOLE_FACE, 'admin-api': SERVER_FACE, 'ai-api': SERVER_FACE, worker: SERVER_FACE }

test.each(Object.entries(FACES))('every exception of %s is needed', (app, face) => {
  const needed = new Set(
    importsOf(app)
      .filter(({ from, to }) => isFeature(to) && (isShared(from) || (isFeature(from) && !face.test(to))))
      .map(({ to }) => to),
  )
  expect(Object.keys(EXCEPTIONS[app] ?? {}).filter((file) => !needed.has(file))).toEqual([])
})

test.each(Object.keys(FACES))('shared folders of %s import no feature', (app) => {
  const wrong = importsOf(app).filter(({ from, to }) => isShared(from) && isFeature(to) && !isException(app, to))
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

test.each(Object.entries(FACES))('features of %s import only the public face of each other', (app, face) => {
  const wrong = importsOf(app).filter(
    ({ from, to }) => isFeature(from) && isFeature(to) && !face.test(to) && !isException(app, to),
  )
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})
