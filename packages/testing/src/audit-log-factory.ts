import { sealAudit } from '@switchboard/database/audit/seal-audit'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { withoutIndexes } from './without-indexes.ts'

/** `count` chained rows of the audit log, two per minute up to now. Earlier rows are deleted. */
export async function makeAuditLog(db: Kysely<Database>, count: number): Promise<void> {
  await sealAudit(db)
  await withoutIndexes(db, ['audit_log'], async (trx) => {
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql`truncate audit_log`.execute(trx)
    await sql.raw(auditLogLoop(count)).execute(trx)
    await sql`alter table audit_log enable trigger user`.execute(trx)
  })
}

/** Hashes the text of `audit-row.ts` in the database, which takes a fraction of the time of the sealer. */
function auditLogLoop(count: number): string {
  return `
    do $$
    declare
      actors text[] := array(select id || ' ' || email from users where role = 'super_admin' order by id limit 20);
      -- A thousand rows per tenant, so that a page of one tenant is full at any length of the log.
      tenants uuid[] := array(select id from tenants order by id limit greatest(${count} / 1000, 1));
      kinds text[] := array[
        'auth.login', 'auth.login', 'auth.logout', 'tenants.create', 'tenants.update', 'tenants.update', 'tenants.delete',
        'users.create', 'users.toggle', 'users.delete', 'api_keys.create', 'api_keys.create', 'api_keys.toggle',
        'api_keys.rotate', 'api_keys.delete', 'tasks.create', 'tasks.update', 'tasks.run', 'prompts.save'];
      entry audit_log;
    begin
      entry.prev_hash := decode(repeat('00', 32), 'hex');
      for n in 1..${count} loop
        entry.seq := n;
        entry.at := date_trunc('minute', now()) - (${count} - n) * interval '30 seconds';
        entry.action := kinds[1 + entry.seq * 7919 % 19];
        entry.outcome := case when n % 17 = 0 then 'refused' else 'done' end;
        entry.reason := case when n % 17 = 0 then 'Not as things stand.' end;
        entry.actor_id := null;
        entry.actor_email := 'stranger' || n % 100 || '@example.com';
        if entry.action <> 'auth.login' or entry.outcome = 'done' then
          entry.actor_id := split_part(actors[1 + n / 7 % array_length(actors, 1)], ' ', 1)::uuid;
          entry.actor_email := split_part(actors[1 + n / 7 % array_length(actors, 1)], ' ', 2);
        end if;
        entry.target_type := nullif(rtrim(split_part(entry.action, '.', 1), 's'), 'auth');
        entry.tenant_id := case when entry.target_type <> 'prompt' then tenants[1 + entry.seq * 613 % array_length(tenants, 1)] end;
        entry.target_id := case entry.target_type
          when 'tenant' then entry.tenant_id
          when 'prompt' then (select id from prompt_templates where tenant_id is null)
          else overlay(overlay(md5((n / 20)::text) placing '4' from 13) placing '8' from 17)::uuid end;
        entry.target_name := case when entry.target_type is not null then 'Name ' || n / 20 end;
        entry.changes := case
          when entry.target_type is null then '{}'
          when entry.action = 'api_keys.rotate' and n % 2 = 0 then '{"rotated_from": {"before": null, "after": "a key"}}'
          else '{"is_active": {"before": false, "after": true}, "goal": {"before": "sell", "after": "help"}}' end;
        entry.address := '192.0.2.' || n % 250;
        entry.request_id := md5(n::text)::uuid::text;
        entry.hash := sha256(entry.prev_hash || convert_to(jsonb_build_array(
          entry.seq, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), entry.actor_id,
          entry.actor_email, entry.action, entry.outcome, entry.reason, entry.target_type, entry.target_id,
          entry.target_name, entry.tenant_id, entry.changes, entry.address, entry.request_id)::text, 'UTF8'));
        insert into audit_log (seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name,
          tenant_id, changes, address, request_id, prev_hash, hash)
        values (entry.seq, entry.at, entry.actor_id, entry.actor_email, entry.action, entry.outcome, entry.reason,
          entry.target_type, entry.target_id, entry.target_name, entry.tenant_id, entry.changes, entry.address,
          entry.request_id, entry.prev_hash, entry.hash);
        entry.prev_hash := entry.hash;
      end loop;
      update audit_head set seq = entry.seq, hash = entry.hash;
    end $$`
}
