-- Queues a notice to every proved address of an account, and to its texted_numbers. Any server sends it after the commit. It is in
-- the name of the app `p_client` that asked for the change; without one, in that of the newest session (newest_app). A notice with a
-- `session` has a link that ends all sessions. A mailbox that was proved within the life of such a link may be an intruder's, so it
-- gets no link while the account has an older one, and no notice about a new device. A text message has no link.
-- Locks: none
create or replace function notify_account(p_account uuid, p_kind text, p_detail jsonb, p_client text default null) returns void language plpgsql as $$
declare
    app constant text := coalesce(p_client, newest_app(p_account));
    reader_language constant text := notice_language(p_account);
begin
    insert into outbox (id, medium, address, kind, language, client_id, account_id, detail)
    select gen_random_uuid(), 'email', e.address, 'notice.' || p_kind, reader_language, app, e.account_id,
           case when t.is_old or not p_detail ? 'session' then p_detail else '{}' end
      from account_emails e
     cross join lateral (select e.proved_at < now() - interval '7 days'
                                or not exists (select from account_emails o
                                                where o.account_id = p_account and o.proved_at < e.proved_at) as is_old) t
     where e.account_id = p_account and e.proved_at is not null and (p_kind <> 'new_device' or t.is_old);
    if found then
        perform pg_notify('gateway_outbox', 'email');
    end if;
    insert into outbox (id, medium, address, kind, language, client_id, account_id, detail)
    select gen_random_uuid(), 'sms', number, 'notice.' || p_kind, reader_language, app, p_account, '{}'
      from texted_numbers(p_account, p_kind) number;
    if found then
        perform pg_notify('gateway_outbox', 'sms');
    end if;
end $$;
