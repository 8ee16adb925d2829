-- Nobody can sign in to the account any more, such as when the provider of its only identity says that the person is gone:
-- it is closed, and deleted after two weeks, in which an operator can still look after whoever turns up.
create or replace function close_account_without_way_in(p_account uuid, p_reason text, p_request text) returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status <> 'closed' for update;
    if not found then
        return;
    end if;
    update accounts
       set status = 'closed', changed_at = now(), deletion_requested_at = coalesce(deletion_requested_at, now()),
           deletion_due_at = least(deletion_due_at, now() + interval '14 days')
     where id = p_account;
    perform end_account_sessions(p_account, 'account_closed', null);
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, request_id)
    values ('account_closed', 'done', p_reason, p_account, p_request);
end $$;

-- Takes the place of the function of 0024: what it closes is deleted in time.
create or replace function close_account_without_way_in(p_account uuid, p_providers text[], p_reason text, p_request text)
returns boolean language plpgsql as $$
begin
    if has_way_in(p_account, p_providers) then
        return false;
    end if;
    perform close_account_without_way_in(p_account, p_reason, p_request);
    return true;
end $$;
