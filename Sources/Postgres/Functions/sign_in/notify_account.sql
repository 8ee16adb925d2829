-- Queues a notice to every proved address of an account. Any server sends it after the commit.
-- Locks: none
create or replace function notify_account(p_account uuid, p_kind text, p_detail jsonb) returns void language plpgsql as $$
begin
    insert into outbox (id, medium, address, kind, account_id, detail)
    select gen_random_uuid(), 'email', e.address, 'notice.' || p_kind, e.account_id, p_detail
      from account_emails e where e.account_id = p_account and e.proved_at is not null;
    if found then
        perform pg_notify('gateway_outbox', 'email');
    end if;
end $$;
