-- As notify_account, but without relay addresses, which may no longer work after a provider event.
-- Locks: none
create or replace function notify_account_directly(p_account uuid, p_kind text, p_detail jsonb) returns void language plpgsql as $$
begin
    insert into outbox (id, medium, address, kind, language, client_id, account_id, detail)
    select gen_random_uuid(), 'email', e.address, 'notice.' || p_kind, notice_language(p_account), newest_app(p_account), e.account_id,
           p_detail
      from account_emails e where e.account_id = p_account and e.proved_at is not null and not e.is_relay;
    if found then
        perform pg_notify('gateway_outbox', 'email');
    end if;
    insert into outbox (id, medium, address, kind, language, client_id, account_id, detail)
    select gen_random_uuid(), 'sms', number, 'notice.' || p_kind, notice_language(p_account), newest_app(p_account), p_account, '{}'
      from texted_numbers(p_account, p_kind) number;
    if found then
        perform pg_notify('gateway_outbox', 'sms');
    end if;
end $$;
