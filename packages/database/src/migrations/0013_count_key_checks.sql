-- Counters of the checks of API keys per day of UTC on the whole platform, for the trends of the dashboard: counters of
-- api_key_outcomes with the facets accepted and refused. They follow deletions like all counters.

create function check_facet(outcome text) returns text
language sql immutable
return case outcome when 'valid' then 'accepted' else 'refused' end;

create function count_key_checks() returns trigger
language plpgsql as $$
declare
  steps jsonb;
begin
  case tg_op
  when 'INSERT' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome) as facet, day as value, sum(count) as step from added group by 1, 2
    ) as sums;
  when 'DELETE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome) as facet, day as value, -sum(count) as step from removed group by 1, 2
    ) as sums;
  when 'UPDATE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome) as facet, day as value, sum(step) as step
      from (
        select outcome, day, count as step from added union all select outcome, day, -count from removed
      ) as changed
      group by 1, 2 having sum(step) <> 0
    ) as sums;
  end case;
  if steps is not null then perform add_to_counters(tg_table_name, steps); end if;
  return null;
end $$;

create trigger api_key_outcomes_counted_on_insert after insert on api_key_outcomes
referencing new table as added for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_delete after delete on api_key_outcomes
referencing old table as removed for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_update after update on api_key_outcomes
referencing old table as removed new table as added for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_truncate after truncate on api_key_outcomes
for each statement execute function forget_counters();

insert into counters (noun, facet, value, count)
select 'api_key_outcomes', check_facet(outcome), day, sum(count) from api_key_outcomes group by 2, 3;
