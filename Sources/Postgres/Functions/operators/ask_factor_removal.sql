-- Requests the removal of all second factors of a user who lost them. It happens after a delay, or immediately without
-- one; the user can cancel it until then. Refused for operators except from the command line: the holder of only the
-- first factor could enrol a new one and gain the role.
-- Locks: accounts (for update), factor_removals, *do_factor_removal.
-- Outcomes: not_found, operator_account, nothing_to_change, asked, removed, *do_factor_removal
create or replace function ask_factor_removal(
    p_account uuid, p_actor uuid, p_words text, p_seconds integer, p_providers text[], p_address text, p_request text,
    out outcome text, out due_at timestamptz)
language plpgsql as $$
begin
    perform from accounts where id = p_account and status = 'active' for update;   -- as strongly as do_factor_removal
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if p_actor is not null and exists (select from operators where account_id = p_account) then
        outcome := 'operator_account';
        return;
    end if;
    if not exists (select from factors f where f.account_id = p_account) and not exists (select from passkeys k where k.account_id = p_account) then
        outcome := 'nothing_to_change';
        return;
    end if;
    due_at := now() + make_interval(secs => p_seconds);
    insert into factor_removals (account_id, asked_by, words, due_at) values (p_account, p_actor, p_words, due_at)
    on conflict do nothing;
    if not found then
        outcome := 'nothing_to_change';
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('factor_removal_asked', 'done', p_account, p_address, p_request, jsonb_build_object('due_at', utc(due_at)));
    if p_seconds > 0 then
        perform notify_account(p_account, 'factor_removal_asked', jsonb_build_object('due', to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'));
        outcome := 'asked';
        return;
    end if;
    outcome := coalesce(do_factor_removal(p_account, p_providers, p_address, p_request), 'removed');
end $$;
