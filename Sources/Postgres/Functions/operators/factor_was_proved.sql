-- Whoever proves a second factor has not lost it: what an operator asked for is over.
-- Locks: *cancel_factor_removal. A trigger of make_session.
create or replace function factor_was_proved() returns trigger language plpgsql as $$
begin
    perform cancel_factor_removal(new.account_id, 'factor_proved', new.id, new.client_id, new.address, null);
    return null;
end $$;
