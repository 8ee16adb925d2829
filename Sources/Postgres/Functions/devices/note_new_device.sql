-- Writes the event of a sign-in from a new device, and its notice unless `mails_new_device` is false. Nothing where the
-- device is known, and at the first sign-in of an account: then neither an earlier session nor an earlier sign-in is
-- stored. The lock makes two sign-ins at the same moment see each other: a new device gets one notice, and of two first
-- devices the second one gets it. The notice has no name that a stranger chose: that of an app which no operator added.
-- Locks: advisory new device. The caller holds the account and has made the session.
create or replace function note_new_device(p_account uuid, p session_request) returns void language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_account::text, 8));
    if knows_device(p_account, p) then
        return;
    end if;
    if not exists (select from sessions s where s.account_id = p_account and s.id <> p.id)
       and not exists (select from audit_events e
                        where e.account_id = p_account and (case when e.action = 'refreshed' then 1 else 0 end) = 0
                          and e.action in ('account_created', 'signed_in') and e.session_id <> p.id)
    then
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, provider, address, request_id)
    values ('new_device', 'done', p_account, p.id, p.client_id, p.provider, p.address, p.request_id);
    if p.mails_new_device then
        perform notify_account(p_account, 'new_device', jsonb_build_object(
            'account', p_account, 'session', p.id, 'at', floor(extract(epoch from now()))::bigint,
            'app', (select c.name from clients c where c.id = p.client_id and c.origin = 'operator'),
            'agent', p.user_agent, 'address', p.address), p.client_id);
    end if;
end $$;
