-- Schedules the deletion of an account after some days; 0 deletes it immediately. Its sessions end. `p_by` is who asks.
-- The user's own request leaves the account usable, and a sign-in can cancel it. Any other one disables the account. A
-- pending deletion stays unchanged, unless an operator or a back end follows the user: it is theirs then.
-- Locks: *lock_erasures, accounts (for update), *erase_account, *end_account_access. At once: the account with those
-- that were joined to it, by id. Later: the account alone.
-- Outcomes: not_found, operator_account, waiting, requested, *erase_account
-- Invariant: an ended session stays ended.
create or replace function begin_deletion(
    p_account uuid, p_actor uuid, p_days integer, p_by text, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out requested_at timestamptz, out due_at timestamptz)
language plpgsql as $$
declare
    asked_by text;
begin
    if p_days = 0 then
        perform lock_erasures();
        perform 1 from accounts where id = any (array(select p_account union all select joined_accounts(p_account))) order by id for update;
    end if;
    select a.deletion_requested_at, a.deletion_due_at, a.deletion_by into requested_at, due_at, asked_by from accounts a where a.id = p_account for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if exists (select from operators where account_id = p_account) then
        outcome := 'operator_account';
        return;
    end if;
    if due_at is not null and p_days > 0 and (p_by = 'person' or asked_by is distinct from 'person') then
        outcome := 'waiting';
        return;
    end if;
    requested_at := now();
    due_at := least(due_at, now() + make_interval(days => p_days));
    insert into audit_inbox (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id, detail)
    values ('deletion_requested', 'done', nullif(p_by, 'person'), p_account, p_actor, p_session, p_client, p_address, p_request,
            jsonb_build_object('days', p_days));
    if p_days = 0 then
        outcome := erase_account(p_account, p_actor, nullif(p_by, 'person'), p_request);
        return;
    end if;
    update accounts
       set deletion_requested_at = requested_at, deletion_due_at = due_at, deletion_by = p_by, changed_at = now(),
           deletion_disabled = p_by <> 'person' and status = 'active',
           status = case when p_by <> 'person' and status = 'active' then 'disabled' else status end
     where id = p_account;
    perform end_account_access(p_account, 'deletion_requested');
    perform notify_account(p_account, case p_by when 'person' then 'deletion_requested' else 'deletion_by_operator' end,
                           jsonb_build_object('due', to_char(due_at at time zone 'UTC', 'YYYY-MM-DD')), p_client);
    outcome := 'requested';
end $$;
