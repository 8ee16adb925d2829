-- Executes due factor removals, a limited number per call. A failed one is retried after `p_retry_seconds`.
-- Locks: accounts (for update skip locked), *cancel_factor_removal, *do_factor_removal, factor_removals. In the order of
-- their time; an account that another transaction holds has its turn in the next call.
create or replace function sweep_factor_removals(p_limit integer, p_providers text[], p_request text, p_retry_seconds integer) returns integer language plpgsql as $$
declare
    due record;
    removed integer := 0;
begin
    for due in select r.account_id, r.asked_by from factor_removals r where r.due_at <= now() order by r.due_at limit p_limit
    loop
        perform from accounts a where a.id = due.account_id for update skip locked;
        if not found then
            continue;
        end if;
        if due.asked_by is not null and exists (select from operators where account_id = due.account_id) then
            perform cancel_factor_removal(due.account_id, 'operator_account', null, null, null, p_request);
        elsif due.asked_by is not null
              and not exists (select from operators where account_id = due.asked_by and operator_rank(role) >= operator_rank('admin'))
              and not exists (select from access_keys k where k.actor_id = due.asked_by and is_live_key(k) and operator_rank(k.role) >= operator_rank('admin')) then
            perform cancel_factor_removal(due.account_id, 'operator_withdrawn', null, null, null, p_request);
        elsif do_factor_removal(due.account_id, p_providers, null, p_request) is null then
            removed := removed + 1;
        else
            update factor_removals set due_at = now() + make_interval(secs => p_retry_seconds) where account_id = due.account_id and due_at <= now();
        end if;
    end loop;
    return removed;
end $$;
